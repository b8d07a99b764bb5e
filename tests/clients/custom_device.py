"""A device that a client writes: it keeps handles of the host's tensors, and tells each call of its functions."""
from c_api import *

NAME = b"/job:localhost/replica:0/task:0/device:CUSTOM:"
CPU = b"/job:localhost/replica:0/task:0/device:CPU:0"
FROM_C = {"copy_to": C.CFUNCTYPE(vp, vp, vp, vp, vp), "copy_from": C.CFUNCTYPE(vp, vp, vp, cp, vp, vp),
          "execute": C.CFUNCTYPE(None, vp, C.POINTER(i32), C.POINTER(vp), vp, vp), "delete": C.CFUNCTYPE(None, vp),
          "pack": C.CFUNCTYPE(vp, vp, C.POINTER(vp), i32, vp, vp), "pin": C.CFUNCTYPE(C.c_bool, vp, vp),
          "num_dims": C.CFUNCTYPE(i32, vp, vp), "dim": C.CFUNCTYPE(i64, vp, i32, vp), "deallocate": C.CFUNCTYPE(None, vp)}


class Device(C.Structure):
    _fields_ = [("version", i32), *((name, vp) for name in ["copy_to", "copy_from", "execute", "delete", "pack", "pin"])]


class Methods(C.Structure):
    _fields_ = [("version", i32), *((name, vp) for name in ["num_dims", "dim", "deallocate", "summarize"])]


class CustomDevices:
    def __init__(self, api, say, tried, handle, op, execute, value, told):
        self.api, self.say, self.tried, self.value, self.told = api, say, tried, value, told
        self.handle, self.op, self.run_op = handle, op, execute
        self.kept, self.pins = {}, True
        self.ended = self.refused = []
        self.functions = {name: kind(getattr(self, name)) for name, kind in FROM_C.items()}
        pointer = {name: C.cast(function, vp) for name, function in self.functions.items()}
        self.methods = Methods(4, pointer["num_dims"], pointer["dim"], pointer["deallocate"], None)
        plain = [pointer[name] for name in ["copy_to", "copy_from", "execute", "delete"]]
        self.plain, self.whole = Device(4, *plain, None, None), Device(4, *plain, pointer["pack"], pointer["pin"])

    # The functions of the device; `info` is its number.
    def wrap(self, context, handle, number, status):
        key = len(self.kept) + 1
        self.kept[key] = handle
        dtype = self.api.call("TFE_TensorHandleDataType", i32, vp(handle))
        return self.api.call("TFE_NewCustomDeviceTensorHandle", vp, vp(context), cp(NAME + b"%d" % number), i32(dtype), vp(key), self.methods, vp(status))

    def share(self, handle):
        return self.tried("TFE_TensorHandleCopySharingTensor", vp, vp(handle))[1]

    def inside(self, handle):
        """The host's handle behind one of the device."""
        return self.kept[self.tried("TFE_TensorHandleDevicePointer", vp, vp(handle))[1]]

    def copy_to(self, context, handle, status, info):
        self.say("  copy to", info)
        return self.wrap(context, self.share(handle), info, status)

    def copy_from(self, context, handle, target, status, info):
        self.say("  copy from", info, target)
        return self.share(self.inside(handle))

    def execute(self, op, count, outputs, status, info):
        call = vp(op)
        _, name = self.tried("TFE_OpGetName", cp, call)
        _, context = self.tried("TFE_OpGetContext", vp, call)
        _, inputs = self.tried("TFE_OpGetFlatInputCount", i32, call)
        self.say("  execute", info, name, self.tried("TFE_OpGetDevice", cp, call)[1], "inputs", inputs, "room", count[0])
        on_host = self.op(vp(context), name, device=CPU)
        self.api.call("TFE_OpAddAttrs", None, on_host, vp(self.api.call("TFE_OpGetAttrs", vp, call)))
        for index in range(inputs):
            _, given = self.tried("TFE_OpGetFlatInput", vp, call, i32(index))
            _, place = self.tried("TFE_TensorHandleDeviceName", cp, vp(given))
            self.say("    input", place)
            self.tried("TFE_OpAddInput", None, on_host, vp(self.inside(given) if b"CUSTOM" in place else given))
        results = (vp * count[0])()
        self.api.call("TFE_Execute", None, on_host, results, count, vp(status))
        if self.api.call("TF_GetCode", i32, vp(status)) == 0:
            for index in range(count[0]):
                outputs[index] = self.wrap(context, results[index], info, status)

    def delete(self, info):
        self.ended.append(info)
        self.say("  delete") if self.ended is self.refused else None

    def pack(self, context, handles, count, status, info):
        self.say("  pack", info, count)
        return self.wrap(context, self.share(self.inside(handles[count - 1])), info, status)

    def pin(self, op, status):
        self.say("  pin")
        return self.pins

    # The functions of its tensors; `data` is a key of what is kept.
    def num_dims(self, data, status):
        self.say("  num_dims")
        return self.tried("TFE_TensorHandleNumDims", i32, vp(self.kept[data]))[1]

    def dim(self, data, index, status):
        self.say("  dim", index)
        return self.tried("TFE_TensorHandleDim", i64, vp(self.kept[data]), i32(index))[1]

    def deallocate(self, data):
        self.say("  deallocate")
        self.api.call("TFE_DeleteTensorHandle", None, vp(self.kept[data]))

    # What a client does.
    def register(self, name, number, device=None):
        return self.tried("TFE_RegisterCustomDevice", None, self.context, device or self.plain, cp(name), vp(number))[0]

    def copy(self, handle, name):
        code, made = self.tried("TFE_TensorHandleCopyToDevice", vp, handle, self.context, cp(name))
        return code, vp(made)

    def call(self, what, op, *inputs, device=b""):
        code, result = self.run_op(self.op(self.context, op, *inputs, device=device))
        self.say(what, code, self.told(result)[:2] if result else None)
        return result

    def run(self, context):
        self.context = context
        self.registration()
        there = self.copies()
        self.calls(there)
        self.several(there)
        self.pinning()
        self.ended = []
        self.api.call("TFE_DeleteContext", None, context)
        self.say("ended", sorted(self.ended), "refused", self.refused)

    def registration(self):
        say = self.say
        say("register", self.register(NAME + b"1", 1))
        say("again", self.register(NAME + b"1", 1))
        say("short", self.register(b"CUSTOM:1", 8))
        say("one of the process", self.register(CPU, 9))
        say("is", [self.api.call("TFE_IsCustomDevice", C.c_bool, self.context, cp(name)) for name in [NAME + b"1", b"CUSTOM:1", CPU, b""]])

    def copies(self):
        here = self.handle(1, 2)
        code, there = self.copy(here, NAME + b"1")
        self.say("there", code, self.told(there))
        self.say("rank", self.tried("TFE_TensorHandleNumDims", i32, there))
        self.say("elements", self.tried("TFE_TensorHandleNumElements", i64, there))
        self.say("dim", self.tried("TFE_TensorHandleDim", i64, there, i32(0)))
        self.say("value", self.value(there))
        self.say("by a short name", self.copy(here, b"/device:CUSTOM:1")[0])
        for name in [CPU, b"/device:CPU:0"]:
            code, back = self.copy(there, name)
            self.say("back", code, self.value(back))
        return there

    def calls(self, there):
        here = self.handle(1, 2)
        result = self.call("inputs there", b"AddV2", there, there)
        self.say("value", self.value(result))
        self.call("one input there", b"AddV2", there, here)
        self.call("asked for", b"AddV2", here, here, device=NAME + b"1")
        result = self.call("asked for elsewhere", b"AddV2", there, here, device=CPU)
        self.say("value", self.value(result))
        self.call("fails later", b"AddV2", there, self.handle(1, 2, 3))
        self.say("wait", self.tried("TFE_ContextAsyncWait", None, self.context)[0])
        self.call("fails at once", b"LogicalNot", there)

    def several(self, there):
        self.say("second", self.register(NAME + b"2", 2))
        code, other = self.copy(self.handle(3), NAME + b"2")
        self.call("on both", b"AddV2", there, other)
        code, moved = self.copy(there, NAME + b"2")
        self.say("moved", code, self.told(moved)[0])
        for name in [NAME + b"7", CPU]:
            self.kept[len(self.kept) + 1] = self.share(self.handle(1).value)
            made = self.tried("TFE_NewCustomDeviceTensorHandle", vp, self.context, cp(name), i32(FLOAT), vp(len(self.kept)), self.methods)
            self.say("nowhere", made)
        self.say("packed", self.packed(there, there))
        code, shared = self.tried("TFE_TensorHandleCopySharingTensor", vp, there)
        self.say("shared", code)
        for one in (shared, there):
            self.api.call("TFE_DeleteTensorHandle", None, vp(one) if isinstance(one, int) else one)
            self.say("deleted")

    def packed(self, *handles):
        return self.tried("TFE_CreatePackedTensorHandle", vp, self.context, (vp * len(handles))(*handles), C.byref(i32(len(handles))))[0]

    def pinning(self):
        self.say("third", self.register(NAME + b"3", 3, self.whole))
        code, there = self.copy(self.handle(4), NAME + b"3")
        self.call("pinned", b"Neg", there, device=CPU)
        self.pins = False
        self.call("not pinned", b"Neg", there)
        self.call("not pinned, asked for", b"Neg", there, device=NAME + b"3")
        self.say("packed", self.packed(self.handle(4), there))
