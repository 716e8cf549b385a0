"""Uses the shared library through ctypes: smoke.py <libasg.so>."""

import ctypes
import json
import signal
import sys


class Error(ctypes.Structure):
    _fields_ = [(name, ctypes.c_char_p) for name in ("code", "kind", "message", "hint", "data", "key")]


lib = ctypes.CDLL(sys.argv[1])
lib.asg_open.restype = ctypes.c_void_p
lib.asg_open.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.POINTER(ctypes.POINTER(Error))]
lib.asg_call.restype = ctypes.c_void_p
lib.asg_call.argtypes = [ctypes.c_void_p, *[ctypes.c_char_p] * 3, ctypes.POINTER(ctypes.POINTER(Error))]
lib.asg_free.argtypes = [ctypes.c_void_p]
lib.asg_close.argtypes = [ctypes.c_void_p]
lib.asg_error_free.argtypes = [ctypes.POINTER(Error)]
lib.asg_version.restype = ctypes.c_char_p


def call(db, method, **fields):
    error = ctypes.POINTER(Error)()
    found = lib.asg_call(db, method.encode(), json.dumps(fields).encode(), None, ctypes.byref(error))
    if not found:
        code = error.contents.code.decode()
        lib.asg_error_free(error)
        raise LookupError(code)
    try:
        return json.loads(ctypes.string_at(found))
    finally:
        lib.asg_free(found)


handlers = [signal.getsignal(one) for one in (signal.SIGCHLD, signal.SIGPIPE)]
db = lib.asg_open(None, None, None)
assert db, "the store cannot be opened"
commit = call(db, "set", path="/a", value={"b": [1, "ü"]}, description="Write", confidence=0.5)
assert commit["confidence"] == 0.5
assert call(db, "get", path="/a")["value"] == {"b": [1, "ü"]}
try:
    call(db, "get", path="/nothing")
    raise AssertionError("nothing was found")
except LookupError as error:
    assert str(error) == "path-not-found"
lib.asg_close(db)
assert [signal.getsignal(one) for one in (signal.SIGCHLD, signal.SIGPIPE)] == handlers
assert lib.asg_version() == b"0.1.0"
