import type { SearchRequest } from '@shoal/query';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import type { Searcher } from '../../format/reader/segment-reader.ts';
import { ScrollCount, scrollMemory } from './scroll-count.ts';
import type { ScrollCursor } from './scroll-cursor.ts';
import { SearchContexts } from './search-contexts.ts';

const { clock, sched, random } = createNodeRuntime({ log: createSilentLog() });
// Only held and let go here, never looked into.
const searcher = {} as Searcher;
const request = {} as SearchRequest;
const cursor = {} as ScrollCursor;

let contexts: SearchContexts;
const contextsOf = (scrolls: ScrollCount): SearchContexts =>
  new SearchContexts({ clock, sched, scrolls, random }, () => {});
const open = (kind: 'fetch' | 'scroll'): number =>
  contexts.open(kind, searcher, 60_000, { cursor: kind === 'scroll' ? cursor : null, request });

afterEach(() => contexts.close());

describe('contexts of a shard', () => {
  test('between query and fetch are not counted as scrolls', () => {
    contexts = contextsOf(new ScrollCount(scrollMemory(1), 0));
    for (let i = 0; i < 2_000; i++) open('fetch');
    expect(contexts.count('fetch')).toBe(2_000);
    expect(() => open('scroll')).not.toThrow();
  });

  test('of scrolls are at most 500; one that ends makes room', () => {
    contexts = contextsOf(new ScrollCount(scrollMemory(1), 0));
    const first = open('scroll');
    for (let i = 1; i < 500; i++) open('scroll');
    expect(() => open('scroll')).toThrow(
      expect.objectContaining({ type: 'too_many_scroll_contexts_exception', status: 429 }),
    );
    contexts.free(first);
    contexts.free(first);
    expect(() => open('scroll')).not.toThrow();
    expect(contexts.count('scroll')).toBe(500);
  });

  test('of scrolls are counted over all shards and threads of the node', () => {
    const shared = scrollMemory(2);
    const [one, two] = [new ScrollCount(shared, 0), new ScrollCount(shared, 1)];
    one.setLimit(3);
    contexts = contextsOf(one);
    const other = contextsOf(two);
    for (const shard of [contexts, other]) shard.open('scroll', searcher, 60_000, { cursor, request });
    const last = open('scroll');
    const refused = expect.objectContaining({ type: 'too_many_scroll_contexts_exception', status: 429 });
    expect(() => other.open('scroll', searcher, 60_000, { cursor, request })).toThrow(refused);
    expect(() => other.checkScrolls()).toThrow(/must be less than or equal to: \[3\]/i);
    contexts.free(last);
    expect(() => other.open('scroll', searcher, 60_000, { cursor, request })).not.toThrow();
    other.close();
    expect(() => open('scroll')).not.toThrow();
  });

  test('of scrolls are counted no more when their thread ended', () => {
    const shared = scrollMemory(2);
    const [one, two] = [new ScrollCount(shared, 0), new ScrollCount(shared, 1)];
    one.setLimit(1);
    two.add();
    expect(() => one.add()).toThrow('too many scroll contexts');
    one.forget(1);
    one.add();
    expect(() => two.check()).toThrow('too many scroll contexts');
  });

  test('of any kind are bounded', () => {
    contexts = contextsOf(new ScrollCount(scrollMemory(1), 0));
    for (let i = 0; i < 10_000; i++) open('fetch');
    expect(() => open('fetch')).toThrow(expect.objectContaining({ type: 'es_rejected_execution_exception' }));
  });
});
