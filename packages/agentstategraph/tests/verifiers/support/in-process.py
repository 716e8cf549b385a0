"""Runs verify.py many times in one process, for tests.

  in-process.py VERIFIER runs      each line of the input is a JSON list of arguments; each line of the output is
                                   [exit code, what was written]
  in-process.py VERIFIER flips     the input is {"file", "args", "bits"}; the output is a list of those bits whose flip
                                   went unnoticed
  in-process.py VERIFIER signatures   each line of the input is [public key, message, signature] in hex; each line of the
                                   output says whether it is good
"""
import importlib.util
import json
import sys

spec = importlib.util.spec_from_file_location('verify', sys.argv[1])
verify = importlib.util.module_from_spec(spec)
sys.dont_write_bytecode = True
spec.loader.exec_module(verify)


def run(args):
    written = []
    code = verify.main(args, written.append, written.append)
    return [code, ''.join(written)]


def flips(file, args, bits):
    with open(file, 'rb') as opened:
        original = opened.read()
    *_, options = verify.read_arguments(['-', *args])
    unnoticed = []
    for bit in bits:
        changed = bytearray(original)
        changed[bit // 8] ^= 1 << bit % 8
        if verify.verify_chunks([bytes(changed)], **options)['exit'] not in (1, 2):
            unnoticed.append(bit)
    return unnoticed


if sys.argv[2] == 'flips':
    print(json.dumps(flips(**json.load(sys.stdin))))
else:
    for line in sys.stdin:
        given = json.loads(line)
        print(json.dumps(run(given) if sys.argv[2] == 'runs' else verify.is_signature(*map(bytes.fromhex, given))))
