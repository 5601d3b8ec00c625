"""Serves a model by llama.cpp's own HTTP server on a free port of this machine, and prints its address.

Usage: serve.py MODEL.gguf CONTEXT_TOKENS"""

import sys
import time

import xllamacpp

params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.n_ctx = int(sys.argv[2])
params.n_parallel = 1
params.hostnames = ["127.0.0.1"]
params.port = 0
params.ctx_shift = False
params.use_jinja = True
params.warmup = False
server = xllamacpp.Server(params)
print("listening", server.listening_address, flush=True)
while True:
    time.sleep(60)
