/** Scripts in filters of intervals: whether a range of positions is taken. */
import { ScriptInterval } from '../search-classes/interval-classes.ts';
import { programOf } from './script-cache.ts';
import { INTERVAL_CONTEXT } from './script-context.ts';
import type { ScriptRequest } from './script-request.ts';

/** Whether a range is taken. @param end last position of the range */
export type IntervalTest = (start: number, end: number, gaps: number) => boolean;

/** @throws ShoalError where the script does not compile */
export function intervalTest(request: ScriptRequest): IntervalTest {
  const interval = new ScriptInterval();
  const program = programOf(request, INTERVAL_CONTEXT).bind([interval]);
  return (start, end, gaps) => {
    interval.start = start;
    interval.end = end;
    interval.gaps = gaps;
    return program.run() === true;
  };
}
