"""Writes a model of random weights for llama.cpp: one layer, a token a byte. It knows nothing, and answers as a server lets it.

Usage: random_model.py OUT.gguf"""

import sys

import gguf
import numpy as np

BYTES, WIDTH, HEADS, INNER = 256, 64, 4, 128
NORMAL, CONTROL, BYTE = 2, 3, 6  # llama.cpp's kinds of token: unknown, control, byte

rng = np.random.default_rng(1)
out = gguf.GGUFWriter(sys.argv[1], "llama")
tokens = [b"<unk>", b"<s>", b"</s>"] + [b"<0x%02X>" % b for b in range(BYTES)]

out.add_context_length(65536)
out.add_embedding_length(WIDTH)
out.add_block_count(1)
out.add_feed_forward_length(INNER)
out.add_head_count(HEADS)
out.add_head_count_kv(HEADS)
out.add_layer_norm_rms_eps(1e-5)
out.add_rope_dimension_count(WIDTH // HEADS)
out.add_vocab_size(len(tokens))
out.add_tokenizer_model("llama")
out.add_token_list(tokens)
out.add_token_scores([0.0] * len(tokens))
out.add_token_types([NORMAL, CONTROL, CONTROL] + [BYTE] * BYTES)
out.add_bos_token_id(1)
out.add_eos_token_id(2)
out.add_unk_token_id(0)
out.add_chat_template("{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant: ")


def random(*shape):
    return (rng.standard_normal(shape) * 0.3).astype(np.float32)


out.add_tensor("token_embd.weight", random(len(tokens), WIDTH))
out.add_tensor("output_norm.weight", np.ones(WIDTH, np.float32))
out.add_tensor("output.weight", random(len(tokens), WIDTH))
for name, shape in {
    "attn_q": (WIDTH, WIDTH), "attn_k": (WIDTH, WIDTH), "attn_v": (WIDTH, WIDTH), "attn_output": (WIDTH, WIDTH),
    "ffn_gate": (INNER, WIDTH), "ffn_up": (INNER, WIDTH), "ffn_down": (WIDTH, INNER),
}.items():
    out.add_tensor(f"blk.0.{name}.weight", random(*shape))
for name in ("attn_norm", "ffn_norm"):
    out.add_tensor(f"blk.0.{name}.weight", np.ones(WIDTH, np.float32))
out.write_header_to_file()
out.write_kv_data_to_file()
out.write_tensors_to_file()
out.close()
