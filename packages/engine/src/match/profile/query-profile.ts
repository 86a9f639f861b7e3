/**
 * `profile` of a query on one shard: which parts it was compiled to, and the time that each took.
 *
 * Every part is timed where it is compiled and walked, so that what is told was measured and not guessed. Timing each
 * call costs more than most calls: kernels are left aside, and times are of use beside each other only.
 */
import { assert } from '@shoal/core';
import type { SearchRequest } from '@shoal/query';
import type { Clock } from '@shoal/runtime';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import type { Candidates } from '../weight/doc-iterator.ts';
import type { Scorer } from '../weight/scorer.ts';
import { textOfWeight, type Weight, type Wording } from '../weight/weight.ts';
import { nanosOf, StepTimes } from './step-times.ts';

const STEPS = ['create_weight', 'build_scorer', 'next_doc', 'advance', 'score'] as const;
type Step = (typeof STEPS)[number];

/** Steps that only other engines take; clients may read them, so they are given as zero. */
const STEPS_ELSEWHERE = ['match', 'shallow_advance', 'compute_max_score', 'set_min_competitive_score', 'count_weight'];

class Part {
  readonly type: string;
  /** The query as written, until it is known what it was compiled to. */
  description: string;
  readonly children: Part[] = [];
  private readonly times: StepTimes<Step>;

  constructor(clock: Clock, type: string, description: string) {
    this.type = type;
    this.description = description;
    this.times = new StepTimes(clock, STEPS);
  }

  timed<T>(step: Step, work: () => T): T {
    return this.times.timed(step, 1, work);
  }

  render(): Readonly<Record<string, unknown>> {
    const { total, breakdown } = this.times.render();
    const elsewhere = Object.fromEntries(
      STEPS_ELSEWHERE.flatMap((step) => [
        [step, 0],
        [`${step}_count`, 0],
      ]),
    );
    return {
      type: this.type,
      description: this.description,
      time_in_nanos: total,
      breakdown: { ...breakdown, ...elsewhere },
      children: this.children.length === 0 ? undefined : this.children.map((child) => child.render()),
    };
  }
}

export interface CollectorReport {
  readonly name: string;
  readonly reason: string;
  readonly elapsedMs: number;
}

export class QueryProfile {
  private readonly clock: Clock;
  private readonly roots: Part[] = [];
  private readonly open: Part[] = [];

  /** How queries are told. */
  private readonly wording: Wording;

  constructor(clock: Clock, wording: Wording) {
    this.clock = clock;
    this.wording = wording;
  }

  /** Compiles a part of the query; parts that are compiled meanwhile are its children. */
  around({ type, text }: { readonly type: string; readonly text: string }, compile: () => Weight): Weight {
    const part = new Part(this.clock, type, text);
    const siblings = this.open.at(-1)?.children ?? this.roots;
    siblings.push(part);
    this.open.push(part);
    try {
      const depth = this.open.length;
      const weight = part.timed('create_weight', compile);
      assert(this.open.length === depth, `${this.open.length - depth} parts of [${type}] are still being compiled`);
      part.description = toldText(weight, this.wording, text);
      return timedWeight(part, weight);
    } finally {
      this.open.pop();
    }
  }

  /** A value for `writeJson`: one of `searches`. */
  render({ name, reason, elapsedMs }: CollectorReport): Readonly<Record<string, unknown>> {
    assert(this.open.length === 0, `${this.open.length} parts of the query are still being compiled`);
    return {
      query: this.roots.map((part) => part.render()),
      rewrite_time: 0,
      collector: [{ name, reason, time_in_nanos: nanosOf(elapsedMs) }],
    };
  }
}

/** What is found to match nothing is told as it was asked for: there is nothing else to say of it. */
function toldText(weight: Weight, wording: Wording, otherwise: string): string {
  if (weight.text === undefined) return otherwise;
  const isNothing = weight.text.startsWith('MatchNoDocsQuery(');
  return textOfWeight(weight, isNothing ? 'plain' : wording);
}

/** A weight without a kernel plan: kernels cannot be timed part by part. */
function timedWeight(part: Part, inner: Weight): Weight {
  return {
    ...(inner.text === undefined ? {} : { text: inner.text }),
    ...(inner.plainText === undefined ? {} : { plainText: inner.plainText }),
    ...(inner.ownBoost === undefined ? {} : { ownBoost: inner.ownBoost }),
    ...(inner.isPlainList === undefined ? {} : { isPlainList: inner.isPlainList }),
    ...(inner.isClauseList === undefined ? {} : { isClauseList: inner.isClauseList }),
    scorer(view: SegmentView) {
      const scorer = part.timed('build_scorer', () => inner.scorer(view));
      return scorer === null ? null : new TimedScorer(part, scorer);
    },
    count: (view) => inner.count(view),
  };
}

class TimedScorer implements Scorer {
  private readonly part: Part;
  private readonly inner: Scorer;

  constructor(part: Part, inner: Scorer) {
    this.part = part;
    this.inner = inner;
  }

  get doc(): number {
    return this.inner.doc;
  }

  get cost(): number {
    return this.inner.cost;
  }

  next(): number {
    return this.part.timed('next_doc', () => this.inner.next());
  }

  advance(target: number): number {
    return this.part.timed('advance', () => this.inner.advance(target));
  }

  get candidates(): Candidates | null {
    const { part, inner } = this;
    const tested = inner.candidates ?? null;
    return tested && { docs: tested.docs, matches: () => part.timed('next_doc', tested.matches) };
  }

  score(): number {
    return this.part.timed('score', () => this.inner.score());
  }
}

/** Name and reason of the collector of a search, as Lucene calls them. */
export function collectorOf(search: SearchRequest, topN: number): { readonly name: string; readonly reason: string } {
  if (topN === 0) return { name: 'EarlyTerminatingCollector', reason: 'search_count' };
  const name = search.sort.length === 0 ? 'SimpleTopScoreDocCollector' : 'SimpleFieldCollector';
  return { name, reason: 'search_top_hits' };
}
