/**
 * Clients of a simulated cluster: few documents, unique values, each client one call after the other. What they are told is kept in a
 * history; an answer that did not come is an outcome that nobody knows.
 */
import type { RegisterCall, SeededRandom } from '@shoal/simulation';
import type { CopyWatch } from './copy-watch.test-support.ts';
import type { History, Shown, WriteOutcome } from './history.test-support.ts';
import type { ClientMix, LifePlan } from './life-plan.test-support.ts';
import { demand } from './violation.test-support.ts';
import type { Answer, Question, WholeWorld } from './whole-world.test-support.ts';

/** A client that hears nothing for so long goes on; what it asked may still be done. */
const CALL_TIMEOUT_MS = 60_000;
/** Given to the cluster with a call. */
const REQUEST_TIMEOUT = '20s';
const BULK_ITEMS_MAX = 4;
const HITS_MAX = 1_000;
const KEEP_ALIVE = '20s';

interface Write {
  readonly index: string;
  readonly id: string;
  readonly action: 'index' | 'create' | 'update' | 'delete';
  /** null: a deletion. */
  readonly value: string | null;
  /** What the document must be for the write to be done; null: whatever it is. */
  readonly condition: Shown | null;
}

type Body = Readonly<Record<string, unknown>>;

export class SimulatedClients {
  /** Calls that were answered. */
  answeredCount = 0;
  isStopped = false;
  readonly #around: WholeWorld;
  readonly #plan: LifePlan;
  readonly #history: History;
  readonly #copies: CopyWatch;
  /** Documents as clients saw them last. */
  readonly #known = new Map<string, Shown>();
  #openCount = 0;
  #lastValue = 0;

  constructor(around: WholeWorld, plan: LifePlan, history: History, copies: CopyWatch) {
    this.#around = around;
    this.#plan = plan;
    this.#history = history;
    this.#copies = copies;
  }

  /** Calls that are not over. */
  get openCount(): number {
    return this.#openCount;
  }

  run(): void {
    for (let client = 0; client < this.#plan.clients; client++) {
      const random = this.#around.world.random.fork(`client/${client}`);
      this.#around.own(this.#live(random));
    }
  }

  /** A write of its own value to a document of that name. */
  async writeOnce(node: string, index: string, id: string): Promise<boolean> {
    const before = this.#history.acknowledgedCount;
    await this.#write(node, { index, id, action: 'index', value: this.#newValue(), condition: null });
    return this.#history.acknowledgedCount > before;
  }

  async #live(random: SeededRandom): Promise<void> {
    for (;;) {
      await this.#around.wait(random.unit() * 2 * this.#plan.thinkMs);
      if (this.isStopped) return;
      this.#openCount += 1;
      await this.#call(random);
      this.#openCount -= 1;
    }
  }

  async #call(random: SeededRandom): Promise<void> {
    const node = random.pick(this.#around.names);
    const index = random.pick(this.#plan.indices).name;
    const kind = drawKind(random, this.#plan.mix);
    switch (kind) {
      case 'bulk':
        return this.#bulk(node, random);
      case 'get':
        return this.#get(node, index, this.#id(random));
      case 'search':
        return this.#search(node, index, random);
      case 'scroll':
        return this.#scroll(node, index, random);
      case 'refresh':
        return this.#only(node, { method: 'POST', target: `/${index}/_refresh` });
      case 'flush':
        return this.#only(node, { method: 'POST', target: `/${index}/_flush` });
      case 'sideIndex':
        return this.#only(node, sideRequest(random));
      default:
        return this.#write(node, this.#drawWrite(random, kind, index));
    }
  }

  #id(random: SeededRandom): string {
    return String(random.below(this.#plan.documents));
  }

  #drawWrite(random: SeededRandom, kind: 'conditional' | Write['action'], index: string): Write {
    const id = this.#id(random);
    if (kind !== 'conditional') {
      return { index, id, action: kind, value: kind === 'delete' ? null : this.#newValue(), condition: null };
    }
    const condition = this.#known.get(`${index}/${id}`) ?? null;
    if (condition !== null && random.chance(0.15)) return { index, id, action: 'delete', value: null, condition };
    return { index, id, action: 'index', value: this.#newValue(), condition };
  }

  #newValue(): string {
    this.#lastValue += 1;
    return `v${this.#lastValue}`;
  }

  async #write(node: string, write: Write): Promise<void> {
    const calledAt = this.#begin(write);
    const answer = await this.#ask(node, requestOf(write));
    const outcome =
      answer.kind === 'answered' ? outcomeOf(write, answer.status, answer.body) : WITHOUT_ANSWER[answer.kind];
    this.#end(write, calledAt, outcome);
  }

  async #bulk(node: string, random: SeededRandom): Promise<void> {
    const actions = ['index', 'index', 'create', 'update', 'delete', 'conditional'] as const;
    const writes = Array.from({ length: 1 + random.below(BULK_ITEMS_MAX) }, () =>
      this.#drawWrite(random, random.pick(actions), random.pick(this.#plan.indices).name),
    );
    const calledAt = writes.map((write) => this.#begin(write))[0] ?? 0;
    const body = `${writes.flatMap(bulkLines).join('\n')}\n`;
    const answer = await this.#ask(node, { method: 'POST', target: `/_bulk?timeout=${REQUEST_TIMEOUT}`, body });
    const items = answer.kind === 'answered' && answer.status === 200 ? (answer.body.items as readonly Body[]) : null;
    for (const [at, write] of writes.entries()) {
      const item = items?.[at]?.[write.action] as Body | undefined;
      const refused = answer.kind === 'refused' ? WITHOUT_ANSWER.refused : WITHOUT_ANSWER.lost;
      this.#end(write, calledAt, item === undefined ? refused : outcomeOf(write, item.status as number, item));
    }
  }

  #begin({ index, id, value }: Write): number {
    this.#history.began(`${index}/${id}`, value);
    return this.#around.nowMs;
  }

  #end(write: Write, calledAt: number, outcome: WriteOutcome): void {
    const key = `${write.index}/${write.id}`;
    const effect = plainEffect(write);
    this.#around.log.debug('write', { key, value: write.value, calledAt, outcome: outcome.kind });
    this.#history.ended(key, { effect, calledAt, returnedAt: this.#around.nowMs }, outcome);
    if (outcome.kind !== 'done' || outcome.at === null) return;
    this.#copies.acknowledged(write.index, write.id, outcome.at, write.value);
    if (write.value !== null) this.#known.set(key, { value: write.value, ...outcome.at });
  }

  async #get(node: string, index: string, id: string): Promise<void> {
    const answer = await this.#ask(node, { method: 'GET', target: `/${index}/_doc/${id}` });
    if (answer.kind !== 'answered' || answer.status !== 200) return;
    this.#shown(index, answer.body);
  }

  async #search(node: string, index: string, random: SeededRandom): Promise<void> {
    const body = {
      size: HITS_MAX,
      seq_no_primary_term: true,
      query: random.chance(0.5) ? { match_all: {} } : { exists: { field: 'value' } },
      sort: random.pick([undefined, ['n'], [{ n: 'desc' }, '_doc']]),
    };
    const answer = await this.#ask(node, { method: 'POST', target: `/${index}/_search`, body });
    if (answer.kind === 'answered' && answer.status === 200) this.#hits(index, answer.body);
  }

  /** Pages through all hits; some searches are left to their keep-alive. */
  async #scroll(node: string, index: string, random: SeededRandom): Promise<void> {
    const body = { size: 1 + random.below(3), seq_no_primary_term: true };
    const first = await this.#ask(node, { method: 'POST', target: `/${index}/_search?scroll=${KEEP_ALIVE}`, body });
    let answer = first;
    const seen = new Set<string>();
    while (answer.kind === 'answered' && answer.status === 200) {
      const ids = this.#hits(index, answer.body);
      for (const id of ids) demand(!seen.has(id), () => `scroll over ${index} shows ${id} twice`);
      for (const id of ids) seen.add(id);
      const scroll_id = answer.body._scroll_id;
      if (ids.length === 0 || random.chance(0.1)) {
        if (random.chance(0.7))
          await this.#only(node, { method: 'DELETE', target: '/_search/scroll', body: { scroll_id } });
        return;
      }
      answer = await this.#ask(node, {
        method: 'POST',
        target: '/_search/scroll',
        body: { scroll_id, scroll: KEEP_ALIVE },
      });
    }
  }

  /** @returns the ids of the hits */
  #hits(index: string, body: Body): readonly string[] {
    const shards = body._shards as { total: number; successful: number; failed: number };
    demand(shards.total === shards.successful + shards.failed, () => `_shards of ${index}: ${JSON.stringify(shards)}`);
    const { hits } = body.hits as { hits: readonly Body[] };
    for (const hit of hits) this.#shown(index, hit);
    const ids = hits.map(({ _id }) => String(_id));
    demand(new Set(ids).size === ids.length, () => `a search of ${index} shows a document twice: ${ids.join()}`);
    return ids;
  }

  #shown(index: string, { _id, _source, _seq_no, _primary_term }: Body): void {
    const { value } = _source as { readonly value: string };
    const shown = { value, seqNo: _seq_no as number, term: _primary_term as number };
    this.#history.shown(`${index}/${_id}`, shown);
    this.#known.set(`${index}/${_id}`, shown);
  }

  async #only(node: string, question: Question): Promise<void> {
    await this.#ask(node, question);
  }

  async #ask(node: string, question: Question): Promise<Answer> {
    const answer = await this.#around.ask(node, question, CALL_TIMEOUT_MS);
    if (answer.kind !== 'answered') return answer;
    this.answeredCount += 1;
    const { status, body } = answer;
    if (status >= 400) this.#around.log.debug('refused', { node, ...question, status, error: body.error });
    demand(status !== 500 || !isOurs(body), () => `${question.method} ${question.target}: ${JSON.stringify(body)}`);
    return answer;
  }
}

/** Errors that say that the program, and not the world, is wrong. */
function isOurs(body: Body): boolean {
  return /assertion|TypeError|RangeError|is not a function|of undefined|of null/.test(JSON.stringify(body));
}

const WITHOUT_ANSWER = { refused: { kind: 'nothing' }, lost: { kind: 'unknown' } } as const;

function drawKind(random: SeededRandom, mix: ClientMix): keyof ClientMix {
  const weights = Object.entries(mix) as [keyof ClientMix, number][];
  let drawn = random.unit() * weights.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [kind, weight] of weights) {
    drawn -= weight;
    if (drawn < 0) return kind;
  }
  return 'index';
}

function sideRequest(random: SeededRandom): Question {
  const target = '/side';
  if (random.chance(0.3)) return { method: 'DELETE', target };
  if (random.chance(0.5))
    return { method: 'PUT', target: `${target}/_doc/1?timeout=${REQUEST_TIMEOUT}`, body: { a: 1 } };
  return { method: 'PUT', target, body: { settings: { number_of_replicas: random.below(2) } } };
}

function documentOf(value: string): Body {
  return { value, n: Number(value.slice(1)) };
}

function requestOf({ index, id, action, value, condition }: Write): Question {
  const upon = condition === null ? '' : `&if_seq_no=${condition.seqNo}&if_primary_term=${condition.term}`;
  const tail = `${id}?timeout=${REQUEST_TIMEOUT}${upon}`;
  if (value === null) return { method: 'DELETE', target: `/${index}/_doc/${tail}` };
  const body = documentOf(value);
  if (action === 'create') return { method: 'PUT', target: `/${index}/_create/${tail}`, body };
  if (action === 'update') return { method: 'POST', target: `/${index}/_update/${tail}`, body: { doc: body } };
  return { method: 'PUT', target: `/${index}/_doc/${tail}`, body };
}

function bulkLines({ index, id, action, value, condition }: Write): readonly string[] {
  const upon = condition === null ? {} : { if_seq_no: condition.seqNo, if_primary_term: condition.term };
  const line = JSON.stringify({ [action]: { _index: index, _id: id, ...upon } });
  if (value === null) return [line];
  const body = documentOf(value);
  return [line, JSON.stringify(action === 'update' ? { doc: body } : body)];
}

/** The effect that a write has if it has one, whatever the document was. */
function plainEffect({ action, value, condition }: Write): RegisterCall['effect'] {
  if (condition !== null) return { kind: 'conditionalWrite', expects: condition.value, value };
  return action === 'create' ? { kind: 'conditionalWrite', expects: null, value } : { kind: 'write', value };
}

function outcomeOf(write: Write, status: number, body: Body): WriteOutcome {
  const at = { seqNo: body._seq_no as number, term: body._primary_term as number };
  if (status === 200 || status === 201) return { kind: 'done', effect: plainEffect(write), at };
  // The deletion of a document that was not there has a number and changes nothing.
  if (status === 404 && body.result === 'not_found')
    return { kind: 'done', effect: { kind: 'read', value: null }, at: null };
  const isRefused = status === 400 || status === 404 || status === 409 || status === 429;
  return isRefused ? { kind: 'nothing' } : { kind: 'unknown' };
}
