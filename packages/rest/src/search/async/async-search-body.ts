/**
 * Bodies of asynchronous searches: what they found, or how far they are.
 */
import type { AsyncContent, AsyncSearch } from '@shoal/coordinator';
import { RawJson } from '@shoal/core';

type Json = Readonly<Record<string, unknown>>;

interface AsyncSearchView {
  /** It can be asked for again, under its id. */
  readonly isKept: boolean;
  readonly typedKeys: boolean;
  /** What it has found is shown while it still runs. */
  readonly showsPartial: boolean;
}

export function asyncSearchBody(
  search: AsyncSearch,
  content: AsyncContent,
  { isKept, typedKeys, showsPartial }: AsyncSearchView,
): Json {
  const { error } = content;
  const response = showsPartial || !search.isRunning ? content.response : null;
  return {
    ...(isKept && { id: search.id }),
    ...progress(search, content),
    ...(response !== null && { response: new RawJson(typedKeys ? response.typed : response.plain) }),
    ...(error !== null && { error: new RawJson(error) }),
  };
}

/** Without what it found. */
export function asyncStatusBody(search: AsyncSearch, content: AsyncContent): Json {
  return {
    id: search.id,
    ...progress(search, content),
    _shards: new RawJson(content.shards),
    ...(!search.isRunning && { completion_status: content.status }),
  };
}

function progress(search: AsyncSearch, { error }: AsyncContent): Json {
  return {
    is_partial: search.isRunning || error !== null,
    is_running: search.isRunning,
    start_time_in_millis: search.startedMs,
    expiration_time_in_millis: search.expiresMs,
  };
}
