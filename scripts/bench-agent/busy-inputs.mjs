/**
 * What heavy inputs of one pipeline cost the others: while the inputs of one are fed more than they can take, how long the API takes to
 * answer, and how long an event of a quiet pipeline is on its way.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { get, request } from 'node:http';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { root } from '../built.mjs';
import { askJson, freePort, processFacts, startProcess } from './measured-process.mjs';

const shoal = join(root, 'packages/cli/bin/shoal.js');
const LOOK_EVERY_MS = 250;
const LIMIT_MS = 60_000;
const SECONDS = 10;
const BODY_LINES = 150_000;
const SOCKETS = 50;

const item = (index) => JSON.stringify({ index, host: `web-${index % 40}`, path: `/a/${index}`, took: index % 977 });
const items = Array.from({ length: BODY_LINES }, (_, index) => item(index));
const bodies = {
  array: { type: 'application/json', bytes: Buffer.from(`[${items.join(',')}]`) },
  lines: { type: 'application/x-ndjson', bytes: Buffer.from(`${items.join('\n')}\n`) },
};
const packed = gzipSync(bodies.lines.bytes);
/** Copies of the lines in the file that is read over and over. */
const FILE_COPIES = 10;
const WINDOW_EVENTS = 2_000;
const BEATS_SENDERS = 8;

function post(port, { type, bytes, encoding }) {
  return new Promise((resolve) => {
    const headers = { 'content-type': type, ...(encoding === undefined ? {} : { 'content-encoding': encoding }) };
    const call = request({ port, host: '127.0.0.1', method: 'POST', headers }, (answer) => {
      answer.resume().on('end', resolve);
    });
    call.on('error', resolve);
    call.end(bytes);
  });
}

/** Each sends for as long as it may. */
const loads = {
  'http, arrays of JSON': ({ http }, isOver) => repeat(isOver, () => post(http, bodies.array)),
  'http, lines of JSON': ({ http }, isOver) => repeat(isOver, () => post(http, bodies.lines)),
  'http, lines of JSON, packed': ({ http }, isOver) =>
    repeat(isOver, () => post(http, { type: bodies.lines.type, bytes: packed, encoding: 'gzip' })),
  [`tcp, ${SOCKETS} connections`]: ({ tcp }, isOver) =>
    Promise.all(Array.from({ length: SOCKETS }, () => streamTo(tcp, isOver))),
  [`beats, ${BEATS_SENDERS} senders`]: ({ beats }, isOver) =>
    Promise.all(Array.from({ length: BEATS_SENDERS }, () => windowsTo(beats, isOver))),
  'file, lines of JSON decoded': ({ folder }) => appearing(folder, 'json'),
  'file, plain lines': ({ folder }) => appearing(folder, 'plain'),
};

const FILE_KINDS = ['json', 'plain'];
const fileOf = (folder, kind) => join(folder, `busy-${kind}.log`);

/** A file that is there from now on, too long to be read while the load lasts. */
async function appearing(folder, kind) {
  const copy = await open(fileOf(folder, kind), 'a');
  for (let i = 0; i < FILE_COPIES; i++) await copy.write(bodies.lines.bytes);
  await copy.close();
}

/** Lumberjack: one window after the other, each when the one before it is acknowledged. */
function windowsTo(port, isOver) {
  const frames = items.slice(0, WINDOW_EVENTS).map((text, index) => {
    const bytes = Buffer.from(
      `{"@timestamp":"2026-01-01T00:00:00.000Z","message":${JSON.stringify(text)},"@metadata":{"beat":"filebeat"}}`,
    );
    const head = Buffer.from('2J\0\0\0\0\0\0\0\0');
    head.writeUInt32BE(index + 1, 2);
    head.writeUInt32BE(bytes.length, 6);
    return Buffer.concat([head, bytes]);
  });
  const head = Buffer.from('2W\0\0\0\0');
  head.writeUInt32BE(WINDOW_EVENTS, 2);
  const window = Buffer.concat([head, ...frames]);
  return new Promise((resolve) => {
    let unread = Buffer.alloc(0);
    const socket = connect(port, '127.0.0.1').on('error', resolve).on('close', resolve);
    socket.on('data', (chunk) => {
      unread = Buffer.concat([unread, chunk]);
      for (; unread.length >= 6; unread = unread.subarray(6)) {
        if (unread.readUInt32BE(2) !== WINDOW_EVENTS) continue;
        if (isOver()) socket.destroy();
        else socket.write(window);
      }
    });
    socket.write(window);
  });
}

async function repeat(isOver, send) {
  while (!isOver()) await send();
}

function streamTo(port, isOver) {
  const piece = bodies.lines.bytes.subarray(0, bodies.lines.bytes.lastIndexOf('\n', 1_000_000) + 1);
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1').on('error', resolve).on('close', resolve);
    const more = () => {
      while (!isOver()) if (!socket.write(piece)) return void socket.once('drain', more);
      socket.destroy();
    };
    more();
  });
}

const worst = (list) => [...list].sort((a, b) => a - b);
const text = (list) => {
  const sorted = worst(list);
  const at = (share) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0);
  return `median ${at(0.5)}, p99 ${at(0.99)}, worst ${at(1)} ms`;
};

/** Twice with the same data: with the second start the inputs that were found busy have a thread of their own. */
export async function measureBusyInputs(folder) {
  const data = join(folder, 'busy-data');
  const first = await measureOneStart(folder, data);
  const isFound = existsSync(join(data, 'busy-inputs.json'));
  for (const kind of FILE_KINDS) rmSync(fileOf(folder, kind));
  return [
    ['inputs in the thread that all share', isFound ? '' : 'which were not found busy'],
    ...first,
    ['the same agent started again: busy inputs in a thread of their own', ''],
    ...(await measureOneStart(folder, data)),
  ];
}

async function measureOneStart(folder, data) {
  const ports = { api: await freePort(), beats: await freePort(), folder };
  const arrived = [];
  const sink = createServer((socket) => {
    socket.on('data', (chunk) => {
      for (const line of String(chunk).split('\n')) if (line !== '') arrived.push(performance.now() - Number(line));
    });
    socket.on('error', () => undefined);
  });
  await new Promise((resolve) => sink.listen(0, '127.0.0.1', resolve));
  const busy = `input {
    http { host => "127.0.0.1" port => 0 id => http additional_codecs => { "application/json" => "json" "application/x-ndjson" => "json_lines" } }
    tcp { host => "127.0.0.1" port => 0 id => tcp codec => json_lines }
    beats { host => "127.0.0.1" port => ${ports.beats} id => beats }
    file { path => "${fileOf(folder, 'json')}" codec => json start_position => beginning sincedb_path => "/dev/null" discover_interval => 1 }
    file { path => "${fileOf(folder, 'plain')}" start_position => beginning sincedb_path => "/dev/null" discover_interval => 1 }
  } output { null {} }`;
  const quiet = `input { tcp { host => "127.0.0.1" port => 0 id => quiet } }
    output { tcp { host => "127.0.0.1" port => ${sink.address().port} codec => line { format => "%{message}" } } }`;
  const pipelines = [
    { 'pipeline.id': 'busy', 'config.string': busy, 'pipeline.workers': 1 },
    { 'pipeline.id': 'quiet', 'config.string': quiet, 'pipeline.workers': 1 },
  ];
  writeFileSync(join(folder, 'pipelines.yml'), JSON.stringify(pipelines));
  const args = ['agent', '--path.settings', folder, '--path.data', data, '--log.level', 'error'];
  const { child, ended } = startProcess([process.execPath, shoal, ...args, '--api.http.port', String(ports.api)], {});
  const startedMs = performance.now();
  while (!(await learnPorts(ports))) {
    if (performance.now() - startedMs > LIMIT_MS) throw new Error('the agent does not start');
    await wait(100);
  }
  const socket = connect(ports.quiet, '127.0.0.1');
  const rows = [];
  for (const [name, load] of [['nothing', async () => undefined], ...Object.entries(loads)]) {
    const { answers, took, events } = await underLoad(ports, socket, load, arrived);
    rows.push([`  while it takes ${name}: API`, text(answers)]);
    rows.push([`  while it takes ${name}: event of another pipeline`, `${text(took)}; ${events} events/s taken`]);
  }
  const { cpuMs } = processFacts(child.pid);
  rows.push(['  processor time', `${(cpuMs / 1000).toFixed(1)} s`]);
  socket.destroy();
  child.kill('SIGTERM');
  await ended;
  sink.close();
  return rows;
}

/** The ports that the inputs got, into `ports`; false before they listen. */
async function learnPorts(ports) {
  const all = await askJson(ports.api, '/_node/stats/pipelines').then(
    ({ pipelines }) => Object.values(pipelines ?? {}).flatMap(({ plugins }) => plugins?.inputs ?? []),
    () => [],
  );
  for (const { id, port } of all) if (port !== undefined) ports[id] = port;
  return ['http', 'tcp', 'quiet'].every((id) => ports[id] !== undefined);
}

async function underLoad(ports, socket, load, arrived) {
  const eventsNow = async () => (await askJson(ports.api, '/_node/stats/pipelines')).pipelines.busy.events.in;
  const before = await eventsNow();
  arrived.length = 0;
  const answers = [];
  const startedMs = performance.now();
  const isOver = () => performance.now() - startedMs > SECONDS * 1000;
  const timer = setInterval(() => {
    const askedMs = performance.now();
    socket.write(`${askedMs}\n`);
    get({ port: ports.api, host: '127.0.0.1', path: '/_node/stats/events' }, (answer) => {
      answer.resume().on('end', () => answers.push(performance.now() - askedMs));
    }).on('error', () => undefined);
  }, LOOK_EVERY_MS);
  await Promise.race([load(ports, isOver), wait(SECONDS * 1000 + 2_000)]);
  while (!isOver()) await wait(50);
  clearInterval(timer);
  await wait(1_000);
  const events = Math.round(((await eventsNow()) - before) / (SECONDS + 1));
  return { answers, took: [...arrived], events };
}
