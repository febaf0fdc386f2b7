// Messages of the Language Server Protocol over the standard streams of a process: JSON after a
// header with its length.
"use strict";

class Connection {
  // `handlers` has a function for each notification of the server; `answer` answers its requests.
  constructor(process, handlers, answer) {
    this.process = process;
    this.handlers = handlers;
    this.answer = answer;
    this.next = 1;
    this.waiting = new Map();
    this.bytes = Buffer.alloc(0);
    this.isClosed = false;
    process.stdout.on("data", (bytes) => this.receive(bytes));
    // A server that ended cannot be written to; its end is reported by `exit`.
    process.stdin.on("error", () => {});
    process.on("exit", () => this.close("the server ended"));
    process.on("error", (error) => this.close(error.message));
  }

  close(reason) {
    this.isClosed = true;
    for (const { reject } of this.waiting.values()) reject(new Error(reason));
    this.waiting.clear();
  }

  send(message) {
    if (this.isClosed) return;
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }), "utf8");
    this.process.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.process.stdin.write(body);
  }

  notify(method, params) {
    this.send({ method, params });
  }

  // Sends a request. A cancelled `token` of the editor cancels it.
  request(method, params, token) {
    if (this.isClosed) return Promise.reject(new Error("the server ended"));
    const id = this.next++;
    const result = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    token?.onCancellationRequested(() => this.notify("$/cancelRequest", { id }));
    this.send({ id, method, params });
    return result;
  }

  receive(bytes) {
    this.bytes = Buffer.concat([this.bytes, bytes]);
    for (;;) {
      const end = this.bytes.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = Number(/content-length: *(\d+)/i.exec(this.bytes.toString("latin1", 0, end))?.[1]);
      if (!Number.isInteger(length)) return this.close("the server sent no length");
      if (this.bytes.length < end + 4 + length) return;
      const text = this.bytes.toString("utf8", end + 4, end + 4 + length);
      this.bytes = this.bytes.subarray(end + 4 + length);
      this.handle(JSON.parse(text));
    }
  }

  handle(message) {
    if (message.method !== undefined && message.id !== undefined) {
      Promise.resolve(this.answer(message.method, message.params)).then(
        (result) => this.send({ id: message.id, result: result ?? null }));
    } else if (message.method !== undefined) {
      this.handlers[message.method]?.(message.params);
    } else {
      const waiting = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (message.error) waiting?.reject(new Error(message.error.message));
      else waiting?.resolve(message.result);
    }
  }
}

module.exports = { Connection };
