/**
 * Calls a function that V8 may be asked to stop: the only way to end catastrophic backtracking in this thread.
 *
 * Costs some 70 µs a call, so it is for calls that are known to be able to run away.
 */
import { createContext, Script } from 'node:vm';

/** A call that was ended after its time. */
export const TIMED_OUT: unique symbol = Symbol('timed out');

/** @param limitMs time for this call instead of the usual one */
export type WatchedCall = <T>(call: () => T, limitMs?: number) => T | typeof TIMED_OUT;

export function watchedCall(timeoutMs: number): WatchedCall {
  const shared: { run: (() => void) | null } = { run: null };
  const context = createContext(shared);
  const script = new Script('run()');
  return <T>(call: () => T, limitMs: number = timeoutMs): T | typeof TIMED_OUT => {
    const result: T[] = [];
    shared.run = () => {
      result.push(call());
    };
    try {
      script.runInContext(context, { timeout: limitMs });
    } catch (error) {
      // The error is of the context's own realm: its class says nothing here.
      const isObject = typeof error === 'object' && error !== null;
      if (isObject && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return TIMED_OUT;
      throw error;
    } finally {
      shared.run = null;
    }
    return result[0] as T;
  };
}

/** A watched call that is made when first used: most patterns never need theirs. */
export function lazyWatchedCall(timeoutMs: number): WatchedCall {
  let made: WatchedCall | null = null;
  return (call, limitMs = timeoutMs) => {
    made ??= watchedCall(timeoutMs);
    return made(call, limitMs);
  };
}
