// aimock as the model's server of a test, started in the folder that has it in node_modules. Prints its port, and ends
// with its standard input.
//
//   POST /fixtures   {"chunkSize": 20, "fixtures": [aimock's own {match, response, ...}]}, instead of those before
//   GET /asked       what was asked since then by POST: [{path, headers, body}]
//   POST /tls        {port, ca}: the same behind TLS for the name localhost and model.test, with a CA made for it
//   POST /proxy      {port, connected}: a proxy that knows CONNECT, and takes every name for this machine
//   POST /long       {files, goal, rules}: the model of /long/v1 begins (long_model.mjs); GET /long/facts: what it saw
//   all else         goes to aimock, through a "front" when the model is called MODEL+FRONT:
//                    keep-alive  a comment every 20 ms, also while aimock is silent
//                    crlf        line ends as other servers have them
//                    bytes       one byte at a time, so that every character is cut
//                    closes      the connection is closed after each answer, and nobody is told
//                    garbage     one event in the middle that is no JSON
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import fs from "node:fs";
import http from "node:http";
import https from "node:https";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { answerLongRun, beginLongRun, longRunFacts } from "./long_model.mjs";

const require = createRequire(path.join(process.cwd(), "package.json"));
const { LLMock } = require("@copilotkit/aimock");

let mock = null;
let behind = null;
let asked = [];
const connected = [];

async function useFixtures(fixtures) {
  if (mock) await mock.stop();
  mock = new LLMock({ port: 0, strict: true, chunkSize: fixtures.chunkSize ?? 20, logLevel: "silent" });
  for (const fixture of fixtures.fixtures) mock.addFixture(fixture);
  await mock.start();
  behind = new URL(mock.url);
  asked = [];
}

const fronts = {
  "keep-alive": (from, to) => {
    const timer = setInterval(() => to.write(": keep-alive\n\n"), 20);
    from.on("data", (bytes) => to.write(bytes));
    from.on("close", () => (clearInterval(timer), to.end()));
    to.on("close", () => (clearInterval(timer), from.destroy()));
  },
  crlf: (from, to) => {
    from.on("data", (bytes) => to.write(bytes.toString("latin1").replaceAll("\n", "\r\n"), "latin1"));
    from.on("end", () => to.end());
  },
  bytes: async (from, to) => {
    for await (const bytes of from) for (const byte of bytes) to.write(Buffer.from([byte]));
    to.end();
  },
  closes: (from, to) => {
    const socket = to.socket;
    from.on("data", (bytes) => to.write(bytes));
    from.on("end", () => to.end(() => socket.destroy()));
  },
  garbage: (from, to) => {
    let done = false;
    from.on("data", (bytes) => {
      to.write(bytes);
      if (!done) to.write("data: {malformed json: <<<chaos>>>\n\n");
      done = true;
    });
    from.on("end", () => to.end());
  },
};

function listen(server) {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server.address().port)));
}

async function startTls() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "model-tls-"));
  const file = (name) => path.join(folder, name);
  const openssl = (...args) => execFileSync("openssl", args, { stdio: "ignore" });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  openssl("req", "-x509", ...key, "-keyout", file("ca.key"), "-out", file("ca.pem"), "-subj", "/CN=test CA");
  openssl("req", ...key, "-keyout", file("key"), "-out", file("csr"), "-subj", "/CN=localhost");
  fs.writeFileSync(file("ext"), "subjectAltName=DNS:localhost,DNS:model.test\n");
  openssl("x509", "-req", "-in", file("csr"), "-CA", file("ca.pem"), "-CAkey", file("ca.key"), "-CAcreateserial", "-days", "2", "-out", file("crt"), "-extfile", file("ext"));
  const port = await listen(https.createServer({ key: fs.readFileSync(file("key")), cert: fs.readFileSync(file("crt")) }, serve));
  process.on("exit", () => fs.rmSync(folder, { recursive: true, force: true }));
  return { port, ca: file("ca.pem") };
}

async function startProxy() {
  const proxy = http.createServer((request, response) => response.writeHead(405).end());
  proxy.on("connect", (request, client) => {
    connected.push(request.url);
    const server = net.connect(Number(request.url.split(":").pop()), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      server.pipe(client).pipe(server);
    });
    for (const end of [client, server]) end.on("error", () => (client.destroy(), server.destroy()));
  });
  return { port: await listen(proxy), connected };
}

function readBody(request) {
  return new Promise((resolve) => {
    const pieces = [];
    request.on("data", (piece) => pieces.push(piece));
    request.on("end", () => resolve(Buffer.concat(pieces)));
  });
}

async function control(request, body) {
  if (request.url === "/fixtures") return await useFixtures(JSON.parse(body)), {};
  if (request.url === "/asked") return asked;
  if (request.url === "/tls") return await startTls();
  if (request.url === "/proxy") return await startProxy();
  if (request.url === "/connected") return connected;
  if (request.url === "/long") return beginLongRun(JSON.parse(body));
  if (request.url === "/long/facts") return longRunFacts();
  return null;
}

async function serve(request, response) {
  let body = await readBody(request);
  const answer = await control(request, body).catch((fault) => ({ fault: String(fault) }));
  if (answer) return response.writeHead(answer.fault ? 500 : 200).end(JSON.stringify(answer));
  if (request.url === "/long/v1/chat/completions") {
    response.writeHead(200, { "content-type": "text/event-stream" });
    answerLongRun(JSON.parse(body), (data) => response.write(`data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`));
    return response.end();
  }
  if (request.url.startsWith("/page")) return response.writeHead(200, { "content-type": "text/html" }).end("<html>welcome</html>");
  let front = null;
  const one = { path: request.url, headers: request.headers, body: null };
  if (request.method === "POST") asked.push(one);
  try {
    const json = JSON.parse(body);
    one.body = structuredClone(json);
    const plus = json.model.indexOf("+");
    if (plus >= 0) {
      front = json.model.slice(plus + 1);
      json.model = json.model.slice(0, plus);
      body = Buffer.from(JSON.stringify(json));
    }
  } catch {}
  const headers = { ...request.headers, "content-length": body.length, host: behind.host };
  const onward = http.request({ host: behind.hostname, port: behind.port, path: request.url, method: request.method, headers }, (from) => {
    response.writeHead(from.statusCode, from.headers);
    response.flushHeaders();
    from.on("error", () => response.destroy());
    from.on("aborted", () => response.destroy());
    if (fronts[front] && from.statusCode === 200) return fronts[front](from, response);
    from.on("data", (bytes) => response.write(bytes));
    from.on("end", () => response.end());
  });
  onward.on("error", () => response.destroy());
  response.on("close", () => onward.destroy());
  onward.end(body);
}

await useFixtures({ fixtures: [] });
console.log(await listen(http.createServer(serve)));
process.stdin.resume();
process.stdin.on("end", () => process.exit(0));
