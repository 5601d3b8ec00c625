package boolean

// chain builds a tree from left to right. Operands of one operator are gathered before they are joined, so that a block
// of thousands of synonyms is joined once.
type chain struct {
	operator string // AND or OR, empty while there is one operand
	nodes    []Node
	deepest  int // levels below the joining node, its own kind taken apart
	first    operand
}

func newChain(first operand) *chain {
	return &chain{nodes: []Node{first.node}, deepest: first.depth, first: first}
}

// add applies an operator to what is there and one more operand.
func (c *chain) add(operator string, next operand) {
	if c.operator == "" && operator != "NOT" {
		c.operator = operator
		c.deepest = c.below(c.first)
	}

	if c.operator != operator {
		*c = *newChain(c.operand()) // all that is there is the first operand of another operator
		if operator != "NOT" {
			c.operator = operator
			c.deepest = c.below(c.first)
		}
	}

	if operator == "NOT" {
		left := c.operand()
		made := Not{Keep: left.node, Drop: next.node}
		*c = *newChain(operand{node: made, depth: max(left.depth, next.depth) + 1})
		return
	}
	c.nodes = append(c.nodes, next.node)
	c.deepest = max(c.deepest, c.below(next))
}

// below is how many levels an operand adds below the joining node: one less where it is taken apart.
func (c *chain) below(o operand) int {
	switch o.node.(type) {
	case And:
		if c.operator == "AND" {
			return o.depth - 1
		}
	case Or:
		if c.operator == "OR" {
			return o.depth - 1
		}
	}
	return o.depth
}

func (c *chain) depth() int {
	if len(c.nodes) == 1 {
		return c.first.depth
	}
	return c.deepest + 1
}

// operand is the tree so far.
func (c *chain) operand() operand {
	if len(c.nodes) == 1 {
		return c.first
	}

	n := Any(c.nodes...)
	if c.operator == "AND" {
		n = All(c.nodes...)
	}
	return operand{node: n, depth: c.depth()}
}
