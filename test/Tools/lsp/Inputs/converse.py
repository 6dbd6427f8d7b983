"""Talks to a language server as an editor does, and prints what it says, a line an answer.

    converse.py FILE.mlir SERVER [ARGUMENT...]

The file is opened. A comment `// ASK hover "word"` in it asks about the first such word on the line
after it; `definition` and `references` likewise. Diagnostics are printed as they come. Lines and
columns are counted from 0, as the protocol does.
"""

import json
import re
import subprocess
import sys

path, command = sys.argv[1], sys.argv[2:]
with open(path, encoding='utf-8') as file:
    text = file.read()
uri = 'file:///test.mlir'
server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def send(message):
    body = json.dumps({'jsonrpc': '2.0', **message}).encode()
    server.stdin.write(b'Content-Length: %d\r\n\r\n' % len(body) + body)
    server.stdin.flush()


def receive():
    length = 0
    while True:
        line = server.stdout.readline()
        if not line:
            sys.exit('the server has closed its output')
        if line in (b'\r\n', b'\n'):
            break
        name, _, value = line.decode().partition(':')
        if name.lower() == 'content-length':
            length = int(value)
    return json.loads(server.stdout.read(length))


def place(span):
    return '{line}:{character}'.format(**span['start'])


def tell(message):
    if message.get('method') == 'textDocument/publishDiagnostics':
        diagnostics = message['params']['diagnostics']
        print('diagnostics', len(diagnostics))
        for one in diagnostics:
            print(' ', place(one['range']), one['message'])


def ask(identifier, method, parameters):
    send({'id': identifier, 'method': method, 'params': parameters})
    while True:
        message = receive()
        if message.get('id') == identifier:
            return message.get('result')
        tell(message)


ready = ask(0, 'initialize', {'processId': None, 'rootUri': None, 'capabilities': {}})
print('server', ready['serverInfo']['name'])
send({'method': 'initialized', 'params': {}})
document = {'uri': uri, 'languageId': 'mlir', 'version': 1, 'text': text}
send({'method': 'textDocument/didOpen', 'params': {'textDocument': document}})

lines = text.splitlines()
for number, line in enumerate(lines):
    question = re.search(r'// ASK (\w+) "(.*)"', line)
    if not question:
        continue
    what, word = question.groups()
    position = {'line': number + 1, 'character': lines[number + 1].index(word)}
    answer = ask(number + 1, 'textDocument/' + what, {'textDocument': {'uri': uri}, 'position': position})
    if what == 'hover':
        print('hover', ' '.join(answer['contents']['value'].split()) if answer else 'nothing')
    else:
        print(what, ' '.join(place(one['range']) for one in answer) or 'nothing')

ask(len(lines) + 1, 'shutdown', None)
send({'method': 'exit'})
server.stdin.close()
print('status', server.wait(timeout=30))
