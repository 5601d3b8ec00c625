package injection

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// sign is what a word can be a sign of; a word can be one of several things.
type sign uint64

const (
	setAside  sign = 1 << iota // an order to take no notice
	dropped                    // its participle, for "must be ignored"
	heed                       // what is set aside by "do not"
	grading                    // an order to grade, or to answer
	asNoun                     // such an order that is more often a noun: it counts with its object right behind it
	graded                     // a participle or infinitive for "must be graded", and what a paper gets
	gets                       // what other papers get, in the present
	bare                       // an infinitive that ends a German order, or a duty
	must                       // a duty
	you                        // whoever is spoken to
	formal                     // the same, and they, she: only behind "if"
	being                      // behind "you"
	polite                     // please, now, instead
	and                        // joins two orders
	filler                     // between a duty and its verb
	earlier                    // which instructions
	orders                     // instructions
	rules                      // rules
	standards                  // criteria and guidance, of which guidelines speak too
	model                      // a language model by a name of its own
	machine                    // makes a model of the role beside it: automated, artificial
	role                       // reviewer, assistant, system
	hail                       // note, attention
	greeting                   // dear, hello: titles of papers on chatbots play with them
	toward                     // to, for
	whoReads                   // who reads, that screens
	whether                    // if, as
	this                       // this, our
	the                        // the definite article
	paper                      // what is graded
	other                      // the other ones
	grade                      // score, points
	full                       // a full mark in figures, or in one word
	top                        // the highest, of a grade
	verdict                    // relevant, a guideline
	nought                     // no mark
	unfit                      // irrelevant
	praise                     // what a bribed referee writes
	inside                     // makes "in this study" of "this study"
	scale                      // what has figures of its own
	outOf                      // between two figures of a mark
	not                        // turns what is to be heeded
)

// lexicon is the words of each sign, in normal form, by language: English, German, French, Spanish, Italian,
// Portuguese, Chinese.
var lexicon = []struct {
	sign  sign
	words string
}{
	{setAside, `ignore disregard forget override bypass overrule discard
		ignoriere ignorieren ignoriert missachte missachten vergiss vergesst vergessen verwirf verwerfen
		ubergehe ubergehen uberspringe
		ignorez ignorer ignorons oublie oubliez oublier negligez
		ignora ignoren ignorad ignorar olvida olvide olviden olvidar descarta descarte omite omita haga hagan
		haz
		ignori ignorate ignorare dimentica dimenticate dimenticare tralascia trascura trascurate scarta
		ignorem esqueca esquecam esquecer desconsidere desconsiderem desconsiderar despreze
		忽略 忽视 忽視 无视 無視 忘记 忘記 忘掉 不理会 不要理会 不要遵循 抛弃 跳过 覆盖`},
	{dropped, `ignored disregarded forgotten overridden ignorieren ignoriert missachten vergessen ignorees ignorer
		oubliees ignoradas ignorar ignoradas olvidar
		ignorate ignorare desconsideradas desconsiderar 忽略 忽视 无视`},
	{heed, `follow obey heed folge folgen befolge befolgen beachte beachten tenez suivez suis tenga tengas siga
		sigas sigan tenere segui seguire seguite
		obedeca obedecas sigam leve 遵循 遵守 理会 执行`},
	{grading, `rate score grade rank mark assign give award grant classify label categorize categorise output respond
		reply return answer print treat recommend
		bewerte bewerten bewertet vergib vergeben vergebt gib gebt geben weise weisen stufe stufen klassifiziere
		klassifizieren markiere markieren
		antworte antworten antwortet beurteile beurteilen ordne ordnen erteile erteilen benote benoten einstufen
		setze setzen
		attribuez attribue attribuer donnez donne donner notez noter evaluez evaluer classez classer assignez
		assigner repondez repondre accordez accorder mettez
		dar darle dele denle asigna asigne asignen asignar puntua puntue puntuen puntuar califica califique
		califiquen calificar valora valore otorga otorgue otorgar
		clasifica clasifique clasificar responda responde evalua evalue devuelve devuelva
		assegna assegni assegnate assegnare valuta valuti valutate valutare attribuisci attribuisca attribuite
		attribuire classifica classifichi classificate classificare rispondi rispondete
		atribua atribuam atribuir pontue pontuem avalie avaliem avaliar classifique classifiquem classificar
		conceda responda confira
		打 打分 给 給 给予 給予 评 评为 評為 评分 評分 赋予 标记 標記 输出 輸出 回答 返回 判定 判为 归类 设为 write provide`},
	{asNoun, `rate score grade rank mark label answer reply return output print valuta classifica califica valora 评分
		評分 标记`},
	{graded, `rated scored graded ranked marked classified labelled labeled given assigned awarded receive get score
		deserve deserves merits obtain
		bewertet eingestuft klassifiziert gewertet benotet erhalten bekommen verdient
		note notes evalue classe recevoir recoit obtenir attribue merite
		puntuado calificado valorado clasificado recibir recibe obtener evaluado merece asignado
		valutato classificato ricevere riceve ottenere merita assegnato
		avaliado classificado pontuado receber recebe obter atribuido 得 获得 獲得 得到 列为 视为`},
	{gets, `score scores get gets receive receives deserve deserve earn rate rates are
		erhalten bekommen verdienen sind recoivent obtiennent ont sont meritent reciben obtienen son tienen
		merecen ricevono ottengono sono meritano
		recebem obtem sao ficam ficar merecem 得 均 都 一律 全部 为 是 打 给 評 评为`},
	{bare, `bewerten einstufen klassifizieren vergeben benoten beurteilen geben erteilen markieren setzen zuweisen`},
	{must, `must should shall ought need needs muss mussen soll sollst sollen sollte sollten zu doit doivent devez
		devrait faut debe deben debes deberia hay
		deve devono devi dovete dovrebbe dovrebbero va devem devera precisa deserve deserves merits verdient
		merite merece merita
		必须 必須 应 應 应该 應該 应当 應當 需 须 務必 务必 需要`},
	{you, `you your yourself u deine deinen dich vous votre vos tu te usted ustedes voi voce voces 你 您 你们`},
	{formal, `sie lei`},
	{being, `are re bist seid sind etes es eres sois e sei siete sao 是 为`},
	{polite, `please kindly now instead simply always just only bitte jetzt stattdessen nun veuillez plait maintenant
		merci desormais favor ruega ahora
		prego prega favore ora adesso agora 请 請 现在 現在 直接`},
	{and, `and then also but or und dann oder sowie et puis ou y luego e poi depois 并 並 且 并且 然后 而 同时`},
	{filler, `to be de d que a di mit als with as out com con avec`},
	{earlier, `previous prior above earlier preceding foregoing original all any every your initial existing past
		system
		vorherigen vorherige vorigen bisherigen obigen fruheren vorhergehenden vorangegangenen vorstehenden alle
		allen samtliche samtlichen deine ihre
		precedentes precedente anterieures toutes tous tes vos dessus initiales anteriores previas previos todas
		todos tus sus arriba
		precedenti tutte tue vostre sue iniziali sopra acima suas seu seus sistema systeme 之前 以前 先前 前述 上述 以上 前面
		此前 所有 一切 全部 原有 你的 您的 系统 系統`},
	{orders, `instruction instructions prompt prompts directive directives command commands
		anweisung anweisungen instruktion instruktionen vorgaben befehle systemprompt consigne consignes
		instruccion instrucciones ordenes
		istruzione istruzioni instrucao instrucoes comandos 指令 指示 提示 提示词 提示詞 命令`},
	{rules, `rules regeln regles reglas regole regras 规则 規則`},
	{standards, `guidelines criteria guidance rubric task context richtlinien kriterien criteres criterios indicaciones
		directrices
		criteri direttive indicazioni orientacoes diretrizes 标准 標準 准则 要求`},
	{model, `ai llm llms gpt chatgpt chatbot chatbots claude gemini copilot bot bots genai ki sprachmodell
		sprachmodelle sprachmodellen ia
		人工智能 人工智慧 大模型 语言模型 語言模型 大语言模型 机器人`},
	{machine, `artificial automated automatic automatically machine language neural virtual autonomous screening
		automatische automatischen automatischer automatisierte automatisierten automatisierter maschinelle
		maschinellen kunstliche kunstlichen
		automatique automatiques automatise automatises langage artificielle automatico automaticos automatica
		automatizado automatizados lenguaje
		automatici automatizzato automatizzati linguistico linguistici artificiale linguagem 自动 自動 智能`},
	{role, `reviewer reviewers screener screeners assistant assistants model models system systems agent agents
		judge judges evaluator evaluators
		rater raters grader graders intelligence reader readers
		gutachter gutachtern modell modelle modellen systeme systemen assistent assistenten intelligenz prufer
		bewerter agenten
		relecteur relecteurs evaluateur evaluateurs modele modeles systeme assistants
		revisor revisores evaluador evaluadores modelo modelos sistema sistemas asistente asistentes
		inteligencia
		revisore revisori valutatore valutatori modello modelli sistemi assistente assistenti intelligenza
		avaliador avaliadores
		审稿人 審稿人 审稿 评审 評審 评审员 评审者 审阅者 评估者 助手 系统 系統 模型 读者 筛选系统`},
	{hail, `note notice message attention attn reminder memo instruction instructions
		hinweis hinweise achtung mitteilung nachricht anweisung anweisungen avis remarque consigne consignes
		nota aviso atencion mensaje instrucciones
		avviso attenzione messaggio istruzioni atencao mensagem instrucoes 注意 致 提示 通知 提醒`},
	{greeting, `dear hello hi hey liebe lieber liebes hallo cher chere chers bonjour estimado estimados querido hola
		caro cari gentile gentili ciao
		prezado prezados ola 亲爱的 親愛的 你好 尊敬的`},
	{toward, `to for an fur a pour aux au para per ai agli al ao aos as por den die des dei degli delle dos das del
		alle the all any every tous les los las i gli os 给 給 各位 所有`},
	{whoReads, `reading reads processing evaluating screening reviewing who which that liest lesen lit lisant lisez que
		leen leggono legge che le lea lean lendo leem leia 阅读`},
	{whether, `if as should wenn falls als si comme en como se sei come caso 如果 若 作为`},
	{this, `this these our following present ce dieser diese diesen dieses diesem vorliegende vorliegenden unser
		unsere unseren cet cette notre
		este esta estos nuestro questo questa quest nostro presente nosso 本 这 這 该 該 此 这篇 這篇 本篇 此篇 该篇 本文 此文 该文`},
	{the, `the der den das die le la l el il lo o a`},
	{paper, `paper papers text article articles study studies abstract abstracts manuscript record records
		publication publications work document documents
		submission submissions artikel studie studien arbeit arbeiten manuskript aufsatz publikation
		publikationen dokument beitrag beitrage veroffentlichungen
		etude etudes manuscrit travail travaux articulo articulos estudio estudios manuscrito trabajo trabajos
		documento publicacion resumen
		texte texto testo manoscritto articolo articoli studio studi lavoro lavori documenti pubblicazione
		artigo artigos estudo estudos trabalho trabalhos publicacao resumo
		论文 論文 文章 文献 文獻 研究 本文 此文 该文 摘要 稿件 篇`},
	{other, `other others remaining rest competing anderen andere andern ubrigen restlichen autres autre otros otras
		demas demais resto restantes altri altre restanti
		outros outras 其他 其它 其余 其餘 别的 別的`},
	{grade, `score scores relevance rating ratings points point mark marks grade scoring review reviews
		punkte punkten punkt punktzahl bewertung wertung note relevanz pertinence notation puntuacion puntaje
		calificacion relevancia puntos
		punteggio voto rilevanza pertinenza punti pontuacao nota relevancia pontos pontos 分 分数 分數 相关性 相關性 得分 评分
		相关度
		hochstpunktzahl hochstnote hochstwertung bestnote 满分 滿分 十分`},
	{full, `10 10/10 10.0 ten 100 5/5 100/100 zehn hochstpunktzahl hochstnote hochstwertung bestnote dix diez dieci
		dez 十 十分 满分 滿分 最高分 10分`},
	{top, `maximum max maximal highest top full perfect best hochste hochsten hochster maximale maximalen volle
		maximale maximum maxima maximo massimo massima
		elevee elevada alta alto piena plena 最高 最大`},
	{verdict, `relevant guideline guidelines essential leitlinie recommandation guia guida diretriz hochrelevant
		pertinent relevante relevantes rilevante rct 相关 相關 高度相关 指南`},
	{nought, `0 0.0 0/10 zero lowest null niedrigste niedrigsten nulle cero 零 零分 最低 最低分`},
	{unfit, `irrelevant irrelevante irrelevantes irrilevante irrilevanti minimum minimale minima minimo 不相关 不相關 无关 無關`},
	{praise, `positive favorable favourable accept acceptance accepting negatives weaknesses flattering positiv
		positives favorable positiva positivo
		negativo negativos limitaciones faiblesses 好评 正面 肯定 接收 接受`},
	{inside, `in of from on by with within im von aus bei dans du en del nel nella della em do da no na nesta neste 在
		中`},
	{scale, `scale scales likert vas nrs skala echelle escala scala 量表`},
	{outOf, `of von su sur sobre em`},
	{not, `not never nicht ne pas no non nao 不 不要 勿 请勿`},
}

// longestWord bounds the words that a run of letters or Chinese characters is parted into, in bytes.
const longestWord = 18

// vocabulary is the lexicon by word.
var vocabulary = sync.OnceValue(func() map[string]sign {
	words := map[string]sign{}
	for _, entry := range lexicon {
		for _, word := range strings.Fields(entry.words) {
			words[word] |= entry.sign
		}
	}
	return words
})

func signsOf(word string) sign {
	if len(word) > longestWord {
		return 0
	}
	return vocabulary()[word]
}

// hanWord is the longest word of the lexicon that a text in Chinese characters begins with, else its first character.
func hanWord(text string) string {
	best := 0
	for i, r := range text {
		if i >= longestWord || !unicode.Is(unicode.Han, r) {
			break
		}
		end := i + utf8.RuneLen(r)
		if best == 0 || signsOf(text[:end]) != 0 {
			best = end
		}
	}
	return text[:best]
}
