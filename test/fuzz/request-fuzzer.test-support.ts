/**
 * Requests to any API of the HTTP port, made from its declaration, from real bodies, and from a seed: mostly nearly right, so that they get far.
 */
import { deflateSync, gzipSync } from 'node:zlib';
import { REST_APIS } from '../../packages/rest/src/rest-apis.ts';
import { Dice } from '../../packages/transport/src/start/fuzz-inputs.test-support.ts';
import { mutateJson } from './mutate-json.test-support.ts';
import { BODIES, LINES } from './real-bodies.test-support.ts';

export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

type Declared = NonNullable<(typeof REST_APIS)[number]['params']>[string];

const INDICES = ['fz', 'fz2', 'fz*', 'fza', '_all', '*', '-fz', 'none', '<fz-{now/d}>', 'fz,none', '.', 'A', 'ﬁ'];
const NAMES = ['1', '2', 'fzp', 'fzt', '_local', '*', 'a b', '%', '..', '\u{1F600}', 'x'.repeat(600)];
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'PATCH', 'OPTIONS'];
const TYPES = [
  'application/json',
  'application/x-ndjson',
  'text/plain',
  'application/yaml',
  'application/json; charset=x',
  '',
];
const WORDS = [
  'true',
  'false',
  '',
  '1',
  '-1',
  '0',
  'abc',
  '1e9',
  '999999999999999999999',
  '5s',
  '-5s',
  'all',
  'none',
  '*',
  'a,b',
  'json',
  'yaml',
  '%ff',
];
const ALL_BODIES = BODIES.flatMap(([, bodies]) => bodies);
/** How long a request may wait for what will not come. */
const WAIT = '50ms';
const WAITS = new Set(['timeout', 'master_timeout', 'cluster_manager_timeout']);
/** They wait for other nodes, or write where the test does not look. */
const LEFT_OUT = /_cluster\/voting_config|hot_threads/;

const APIS = REST_APIS.filter(({ paths }) => !paths.some((path) => LEFT_OUT.test(path)));

export class RequestFuzzer {
  readonly #dice: Dice;

  constructor(seed: number) {
    this.#dice = new Dice(seed);
  }

  next(): FuzzRequest {
    const dice = this.#dice;
    const api = dice.pick(APIS);
    const template = dice.pick(api.paths);
    const path =
      template.replace(/\{(\w+)\}/g, (_, name: string) => this.#segment(name)) + this.#query(api.params ?? {});
    const method = dice.chance(96) ? dice.pick(api.methods) : dice.pick(METHODS);
    const type = dice.chance(96)
      ? api.body === 'ndjson'
        ? 'application/x-ndjson'
        : 'application/json'
      : dice.pick(TYPES);
    const hasBody = (api.body ?? 'none') !== 'none' ? dice.chance(92) : dice.chance(3);
    if (!hasBody || method === 'HEAD') return { method, path, headers: {}, body: null };
    const text = api.body === 'ndjson' ? this.#lines() : this.#json(template);
    return this.#packed({ method, path, headers: { 'content-type': type }, body: this.#damaged(Buffer.from(text)) });
  }

  #segment(name: string): string {
    const dice = this.#dice;
    const known = name === 'index' || name === 'target' ? INDICES : NAMES;
    return encodeURIComponent(dice.chance(70) ? (known[0] ?? '') : dice.pick(known));
  }

  #query(params: Readonly<Record<string, Declared>>): string {
    const dice = this.#dice;
    const names = Object.keys(params);
    const parts = names.filter((name) => WAITS.has(name)).map((name) => `${name}=${WAIT}`);
    for (let left = dice.below(3); left > 0 && names.length > 0; left--) {
      const name = dice.pick(names);
      if (WAITS.has(name)) continue;
      const declared = params[name];
      const isWords = Array.isArray(declared);
      const value = isWords && dice.chance(80) ? dice.pick<string>(declared) : dice.pick(WORDS);
      parts.push(`${name}=${value === '%ff' ? value : encodeURIComponent(value)}`);
    }
    if (dice.chance(3))
      parts.push(
        dice.pick([
          'unknown=1',
          'pretty',
          'format=yaml',
          'format=cbor',
          'filter_path=**.a*',
          'human=true',
          'source={}',
          '=',
          '%',
        ]),
      );
    return parts.length === 0 ? '' : `?${parts.join('&')}`;
  }

  #json(template: string): string {
    const dice = this.#dice;
    const [, own = []] = BODIES.find(([part]) => template.includes(part)) ?? [];
    const body = dice.chance(95) ? dice.pick(own) : dice.pick(ALL_BODIES);
    return JSON.stringify(mutateJson(dice, body, ALL_BODIES)) ?? 'null';
  }

  #lines(): string {
    const dice = this.#dice;
    const lines = dice
      .pick(LINES)
      .map((line) => JSON.stringify(dice.chance(60) ? line : mutateJson(dice, line, ALL_BODIES)));
    return lines.join(dice.chance(97) ? '\n' : '\r\n') + (dice.chance(97) ? '\n' : '');
  }

  #damaged(body: Buffer): Buffer {
    const dice = this.#dice;
    if (dice.chance(94) || body.length === 0) return body;
    if (dice.chance(40)) return body.subarray(0, dice.below(body.length));
    const copy = Buffer.from(body);
    for (let left = 1 + dice.below(3); left > 0; left--) copy[dice.below(copy.length)] = dice.below(256);
    return copy;
  }

  #packed(request: FuzzRequest): FuzzRequest {
    const dice = this.#dice;
    const { body } = request;
    if (body === null || dice.chance(95)) return request;
    const encoding = dice.pick(['gzip', 'deflate', 'br', 'x']);
    const packed = encoding === 'gzip' ? gzipSync(body) : encoding === 'deflate' ? deflateSync(body) : body;
    const cut = dice.chance(30) ? packed.subarray(0, dice.below(packed.length + 1)) : packed;
    return { ...request, headers: { ...request.headers, 'content-encoding': encoding }, body: cut };
  }
}
