"""Serves a GGUF file by OpenVINO at `/v1/chat/completions`, for long recordings.

Reads prompts three times as fast as llama.cpp on a core with VNNI, and writes several replies at
once. Needs `pip install openvino-genai==2026.4.1.0`.

    python serve_gguf.py FILE.gguf PORT [THREADS]
"""
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import openvino_genai as genai

path, port, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3] if len(sys.argv) > 3 else 2)
scheduler = genai.SchedulerConfig()
scheduler.cache_size = 3
scheduler.max_num_batched_tokens = 512
scheduler.dynamic_split_fuse = True
scheduler.enable_prefix_caching = True
pipeline = genai.ContinuousBatchingPipeline(
    path, scheduler, 'CPU', {'INFERENCE_NUM_THREADS': threads, 'KV_CACHE_PRECISION': 'f16'}
)
tokenizer = pipeline.get_tokenizer()
wake = threading.Condition()
count = 0


def work():
    """Computes while a request is open."""
    while True:
        with wake:
            wake.wait_for(pipeline.has_non_finished_requests)
        while pipeline.has_non_finished_requests():
            pipeline.step()
            with wake:
                wake.notify_all()


def complete(body):
    """Returns the text of a reply, why it ended, and tokens of prompt and reply."""
    global count
    prompt = tokenizer.apply_chat_template(body['messages'], add_generation_prompt=True)
    config = genai.GenerationConfig()
    config.max_new_tokens = body.get('max_tokens') or body.get('max_completion_tokens') or 512
    config.apply_chat_template = False
    stop = body.get('stop') or []
    config.stop_strings = {stop} if isinstance(stop, str) else set(stop)
    if body.get('temperature'):
        config.do_sample, config.temperature = True, body['temperature']
        config.rng_seed = body.get('seed') or 0
    form = body.get('response_format') or {}
    if form.get('type') == 'json_schema':
        grammar = genai.StructuredOutputConfig()
        grammar.json_schema = json.dumps(form['json_schema']['schema'])
        config.structured_output_config = grammar
    read = tokenizer.encode(prompt, add_special_tokens=False).input_ids.shape[1]
    with wake:
        count += 1
        handle = pipeline.add_request(count, prompt, config)
        wake.notify_all()
        wake.wait_for(lambda: handle.get_status() != genai.GenerationStatus.RUNNING)
    output = handle.read_all()[0]
    cut = output.finish_reason == genai.GenerationFinishReason.LENGTH
    text = tokenizer.decode(output.generated_ids)
    for each in [stop] if isinstance(stop, str) else stop:
        text = text.split(each)[0]
    return text, 'length' if cut else 'stop', read, len(output.generated_ids)


class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers['content-length'])))
        try:
            text, finish, read, written = complete(body)
            usage = {'prompt_tokens': read, 'completion_tokens': written}
            usage['total_tokens'] = read + written
            message = {'role': 'assistant', 'content': text}
            choice = {'index': 0, 'message': message, 'finish_reason': finish}
            status, reply = 200, {'id': 'reply', 'object': 'chat.completion', 'created': 0,
                                  'model': body.get('model'), 'choices': [choice], 'usage': usage}
        except Exception as error:  # the client prints what went wrong
            status, reply = 400, {'error': {'message': str(error), 'type': 'bad_request'}}
        data = json.dumps(reply).encode()
        self.send_response(status)
        self.send_header('content-type', 'application/json')
        self.send_header('content-length', str(len(data)))
        self.end_headers()
        self.wfile.write(data)


threading.Thread(target=work, daemon=True).start()
print(f'http://127.0.0.1:{port}/v1', flush=True)
ThreadingHTTPServer(('127.0.0.1', port), Handler).serve_forever()
