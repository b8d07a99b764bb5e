"""What a TensorFlow library answers to a client about devices: those of the process, counted ones, and those of a plugin.

usage: devices.py FOLDER_WITH_LIBRARIES PLUGIN   PLUGIN is the simulated accelerator
`devices.txt` beside this file is what TensorFlow 2.21 answers; `check.sh` holds this library against it.
"""
import struct
import sys

from c_api import *

api = Api(sys.argv[1])


def say(what, *values):
    print(what, *values, flush=True)


def floats(*values):
    return struct.pack(f"{len(values)}f", *values)


def field(number, data):
    return bytes([number << 3 | 2, len(data)]) + data


def counted(device_type, count):
    """A ConfigProto with so many devices of a type."""
    return field(1, field(1, device_type) + bytes([2 << 3, count]))


SOFT = bytes([7 << 3, 1])


def names(code, devices):
    if code:
        return code
    count = api.call("TF_DeviceListCount", i32, vp(devices))
    return sorted(api.tried("TF_DeviceListName", cp, vp(devices), i32(i))[1].decode() for i in range(count))


def types(devices):
    count = api.call("TF_DeviceListCount", i32, vp(devices))
    return sorted(api.tried("TF_DeviceListType", cp, vp(devices), i32(i))[1].decode() for i in range(count))


def on(graph, device, op, name, inputs):
    description = api.begin(graph, op, name)
    for oper, index in inputs:
        api.call("TF_AddInput", None, description, Output(oper, index))
    api.call("TF_SetDevice", None, description, cp(device))
    return api.finish(description)[1]


def product(first, second):
    """A graph of (x + x) * x, each node on a device of its own."""
    g = api.graph()
    _, x = api.placeholder(g, "x", FLOAT, [2])
    s = on(g, first, "AddV2", "s", [(x, 0), (x, 0)])
    return g, x, on(g, second, "Mul", "p", [(s, 0), (x, 0)])


def sessions(title, first, second, config=b""):
    g, x, p = product(first, second)
    code, session = api.session(g, config)
    if code:
        return say(title, "no session", code)
    listed = names(*api.tried("TF_SessionListDevices", vp, session))
    code, results = api.run(session, [((x, 0), api.tensor(FLOAT, [2], floats(3, 5)))], [(p, 0)])
    say(title, listed, code, api.floats(results[0]) if code == 0 else None)


def eager(config=b"", policy=None):
    options = vp(api.call("TFE_NewContextOptions", vp))
    if config:
        api.tried("TFE_ContextOptionsSetConfig", None, options, cp(config), sz(len(config)))
    if policy is not None:
        api.call("TFE_ContextOptionsSetDevicePlacementPolicy", None, options, i32(policy))
    return vp(api.tried("TFE_NewContext", vp, options)[1])


def handle(*values):
    return vp(api.tried("TFE_NewTensorHandle", vp, api.tensor(FLOAT, [len(values)], floats(*values)))[1])


def place(h):
    return api.tried("TFE_TensorHandleBackingDeviceName", cp, h)[1].decode()[-6:]


def execute(ctx, op, inputs, device=b""):
    op = vp(api.tried("TFE_NewOp", vp, ctx, cp(op))[1])
    if device:
        code, _ = api.tried("TFE_OpSetDevice", None, op, cp(device))
        if code:
            return code, None
    for h in inputs:
        api.tried("TFE_OpAddInput", None, op, h)
    results, count = (vp * 1)(), i32(1)
    code, _ = api.tried("TFE_Execute", None, op, results, C.byref(count))
    return code, vp(results[0]) if code == 0 else None


def told(code, h):
    if code:
        return code
    return place(h), api.floats(api.tried("TFE_TensorHandleResolve", vp, h)[1])


def copies():
    ctx = eager()
    say("context", names(*api.tried("TFE_ContextListDevices", vp, ctx)))
    h = handle(1, 2)
    code, there = api.tried("TFE_TensorHandleCopyToDevice", vp, h, ctx, cp(b"/device:SIM:1"))
    say("copy to device", code, told(0, vp(there)))
    code, other = api.tried("TFE_TensorHandleCopyToDevice", vp, vp(there), ctx, cp(b"/device:SIM:0"))
    say("to another", code, told(0, vp(other)))
    code, back = api.tried("TFE_TensorHandleCopyToDevice", vp, vp(other), ctx, cp(b"/device:CPU:0"))
    say("and back", code, told(0, vp(back)))
    say("nowhere", api.tried("TFE_TensorHandleCopyToDevice", vp, h, ctx, cp(b"/device:SIM:7"))[0])
    say("dim", api.tried("TFE_TensorHandleDim", i64, vp(there), i32(0)))


def calls():
    ctx, h = eager(), handle(1, 2)
    say("on SIM:0", told(*execute(ctx, b"AddV2", [h, h], b"/device:SIM:0")))
    code, there = execute(ctx, b"AddV2", [h, h], b"/device:SIM:1")
    say("on SIM:1", told(code, there))
    say("mixed", told(*execute(ctx, b"Mul", [there, h], b"/device:SIM:0")))
    say("on the host", told(*execute(ctx, b"Mul", [there, h], b"/device:CPU:0")))
    say("anywhere", told(*execute(ctx, b"Mul", [there, h])))
    say("no kernel", execute(ctx, b"Cumsum", [h, h], b"/device:SIM:0")[0] != 0)
    say("no device", execute(ctx, b"AddV2", [h, h], b"/device:SIM:9")[0] != 0)
    say("twice", told(*execute(ctx, b"Neg", [there], b"/device:SIM:1")), told(*execute(ctx, b"Neg", [there], b"/device:SIM:1")))


def policies():
    ctx, h = eager(policy=0), handle(1, 2)
    code, there = api.tried("TFE_TensorHandleCopyToDevice", vp, h, ctx, cp(b"/device:SIM:0"))
    say("explicit", told(*execute(ctx, b"AddV2", [h, vp(there)], b"/device:SIM:0")), told(*execute(ctx, b"AddV2", [vp(there), vp(there)], b"/device:SIM:0")))
    say("explicit, to the host", told(*execute(ctx, b"AddV2", [h, vp(there)], b"/device:CPU:0")))


sessions("one CPU", b"", b"/device:CPU:0")
sessions("two CPUs", b"/device:CPU:0", b"/device:CPU:1", counted(b"CPU", 2))
sessions("no second CPU", b"/device:CPU:1", b"")
sessions("no second CPU, soft", b"/device:CPU:1", b"", SOFT)
ctx = eager(counted(b"CPU", 2))
say("context of two", names(*api.tried("TFE_ContextListDevices", vp, ctx)))
say("on CPU:1", told(*execute(ctx, b"AddV2", [handle(1, 2), handle(3, 4)], b"/device:CPU:1"))[1])
code, _ = api.tried("TF_LoadPluggableDeviceLibrary", vp, cp(sys.argv[2].encode()))
say("plugin", code)
sessions("both", b"/device:SIM:0", b"/device:CPU:0")
sessions("devices", b"/device:SIM:1", b"/device:SIM:0")
sessions("none asked for", b"", b"")
sessions("one of them", b"/device:SIM:0", b"", counted(b"SIM", 1))
sessions("there is one", b"/device:SIM:1", b"", counted(b"SIM", 1))
copies()
calls()
policies()
