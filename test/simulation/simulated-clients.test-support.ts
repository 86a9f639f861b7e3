/**
 * Clients of a simulated cluster: few documents, unique values, each client one call after the other. What they are told is kept in a
 * history; an answer that did not come is an outcome that nobody knows.
 */
import type { RegisterCall, SeededRandom } from '@shoal/simulation';
import type { CopyWatch } from './copy-watch.test-support.ts';
import type { History, Shown, WriteOutcome } from './history.test-support.ts';
import type { ClientMix, FaultKind, LifePlan } from './life-plan.test-support.ts';
import { demand } from './violation.test-support.ts';
import type { Answer, Question, WholeWorld } from './whole-world.test-support.ts';

/** Given to the cluster with a call. */
const REQUEST_TIMEOUT = '20s';
const BULK_ITEMS_MAX = 4;
const HITS_MAX = 1_000;
const BURST_WRITES = 16;
const BURST_MS = 2_000;
const BURST_DOCUMENTS = 12;
const KEEP_ALIVE = '20s';
/** What a write to an index is told that is closed or blocked, and the faults that bring it about. */
const REFUSALS: ReadonlySet<string> = new Set(['index_closed_exception', 'cluster_block_exception']);
const REFUSING: ReadonlySet<FaultKind> = new Set(['closedIndex', 'fullDisk']);

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
  #bursts = 0;

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

  /** Many writes in a short time, to documents of their own: one stroke is to find several of them half done. */
  burst(): void {
    this.#bursts += 1;
    const random = this.#around.world.random.fork(`burst/${this.#bursts}`);
    for (let count = 0; count < BURST_WRITES; count++) {
      const id = `burst-${random.below(BURST_DOCUMENTS)}`;
      const write = { index: random.pick(this.#plan.indices).name, id, action: 'index', condition: null } as const;
      const node = random.pick(this.#around.names);
      this.#around.after(random.unit() * BURST_MS, () => {
        if (!this.isStopped) this.#around.own(this.#counted(this.#write(node, { ...write, value: this.#newValue() })));
      });
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
      await this.#counted(this.#call(random));
    }
  }

  async #counted(call: Promise<void>): Promise<void> {
    this.#openCount += 1;
    await call;
    this.#openCount -= 1;
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

  #write(node: string, write: Write): Promise<void> {
    return this.#writeAll(node, [write], requestOf(write), (answer) => [
      answer.kind === 'answered' ? this.#outcome(write, answer.status, answer.body) : WITHOUT_ANSWER[answer.kind],
    ]);
  }

  #bulk(node: string, random: SeededRandom): Promise<void> {
    const actions = ['index', 'index', 'create', 'update', 'delete', 'conditional'] as const;
    const writes = Array.from({ length: 1 + random.below(BULK_ITEMS_MAX) }, () =>
      this.#drawWrite(random, random.pick(actions), random.pick(this.#plan.indices).name),
    );
    const body = `${writes.flatMap(bulkLines).join('\n')}\n`;
    const question = { method: 'POST', target: `/_bulk?timeout=${REQUEST_TIMEOUT}`, body };
    return this.#writeAll(node, writes, question, (answer) => {
      const items = answer.kind === 'answered' && answer.status === 200 ? (answer.body.items as readonly Body[]) : null;
      const refused = answer.kind === 'refused' ? WITHOUT_ANSWER.refused : WITHOUT_ANSWER.lost;
      return writes.map((write, at) => {
        const item = items?.[at]?.[write.action] as Body | undefined;
        return item === undefined ? refused : this.#outcome(write, item.status as number, item);
      });
    });
  }

  /** Only who may not write at all is refused for the index' sake. */
  #outcome(write: Write, status: number, body: Body): WriteOutcome {
    if (status === 400 || status === 403) {
      const { type } = body.error as { readonly type: string };
      const mayBeRefused = this.#plan.faults.some(({ fault }) => REFUSING.has(fault.kind));
      demand(
        mayBeRefused && REFUSALS.has(type),
        () => `${write.action} ${write.id} is answered ${JSON.stringify(body)}`,
      );
    }
    return outcomeOf(write, status, body);
  }

  async #writeAll(
    node: string,
    writes: readonly Write[],
    question: Question,
    outcomesOf: (answer: Answer) => readonly WriteOutcome[],
  ): Promise<void> {
    const calledAt = this.#around.nowMs;
    for (const { index, id, value } of writes) this.#history.began(`${index}/${id}`, value);
    let unknown: readonly (RegisterCall | null)[] = [];
    const onLate = (answer: Answer): void => {
      this.#openCount -= 1;
      this.#checked(node, question, answer);
      const outcomes = outcomesOf(answer);
      for (const [at, write] of writes.entries())
        this.#endLate(write, unknown[at] ?? null, outcomes[at] ?? WITHOUT_ANSWER.lost);
    };
    const answer = await this.#ask(node, question, this.#plan.lateAnswers ? onLate : undefined);
    if (answer.kind === 'late') this.#openCount += 1;
    const outcomes = outcomesOf(answer);
    unknown = writes.map((write, at) => this.#end(write, calledAt, outcomes[at] ?? WITHOUT_ANSWER.lost));
  }

  #end(write: Write, calledAt: number, outcome: WriteOutcome): RegisterCall | null {
    const key = `${write.index}/${write.id}`;
    const effect = plainEffect(write);
    this.#around.log.debug('write', { key, value: write.value, calledAt, outcome: outcome.kind });
    const unknown = this.#history.ended(key, { effect, calledAt, returnedAt: this.#around.nowMs }, outcome);
    this.#told(write, outcome);
    return unknown;
  }

  #endLate(write: Write, unknown: RegisterCall | null, outcome: WriteOutcome): void {
    if (unknown === null) return;
    const key = `${write.index}/${write.id}`;
    this.#around.log.debug('late answer', { key, value: write.value, outcome: outcome.kind });
    this.#history.endedLate(key, unknown, outcome, this.#around.nowMs);
    this.#told(write, outcome);
  }

  #told(write: Write, outcome: WriteOutcome): void {
    if (outcome.kind !== 'done' || outcome.at === null) return;
    this.#copies.acknowledged(write.index, write.id, outcome.at, write.value);
    if (write.value !== null) this.#known.set(`${write.index}/${write.id}`, { value: write.value, ...outcome.at });
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

  async #ask(node: string, question: Question, onLate?: (answer: Answer) => void): Promise<Answer> {
    const answer = await this.#around.ask(node, question, this.#plan.patienceMs, onLate);
    this.#checked(node, question, answer);
    return answer;
  }

  #checked(node: string, question: Question, answer: Answer): void {
    if (answer.kind !== 'answered') return;
    this.answeredCount += 1;
    const { status, body } = answer;
    if (status >= 400) this.#around.log.debug('refused', { node, ...question, status, error: body.error });
    demand(status !== 500 || !isOurs(body), () => `${question.method} ${question.target}: ${JSON.stringify(body)}`);
  }
}

/** Errors that say that the program, and not the world, is wrong. */
function isOurs(body: Body): boolean {
  return /assertion|TypeError|RangeError|is not a function|of undefined|of null/.test(JSON.stringify(body));
}

const WITHOUT_ANSWER = { refused: { kind: 'nothing' }, lost: { kind: 'unknown' }, late: { kind: 'unknown' } } as const;

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
  const isRefused = status === 400 || status === 403 || status === 404 || status === 409 || status === 429;
  return isRefused ? { kind: 'nothing' } : { kind: 'unknown' };
}
