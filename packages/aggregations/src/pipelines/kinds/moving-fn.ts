/**
 * `moving_fn`: to each bucket, what a script makes of the values of the buckets around it.
 */
import { illegalArgument, ValueReader } from '@shoal/core';
import {
  doublesOf,
  MOVING_FUNCTION_CONTEXT,
  paramsOf,
  parseScript,
  readScript,
  type ScriptRequest,
} from '@shoal/script';
import type { ParentKind } from '../../contract/pipeline-kind.ts';
import type { PipelineNode } from '../../tree/pipeline-node.ts';
import { withValues } from '../added-values.ts';
import { programOfBuckets } from '../bucket-scripts.ts';
import { parseShared } from '../pipeline-options.ts';
import { numberValue } from '../pipeline-values.ts';
import { parseWindow, readWindow, type Window } from '../window.ts';

interface Pipeline extends PipelineNode, Window {
  readonly kind: 'moving_fn';
  readonly script: ScriptRequest;
}

export const movingFn: ParentKind<Pipeline> = {
  family: 'parent',
  kind: 'moving_fn',
  needs: 'sequence',
  isLast: false,
  parse: (named, options) => {
    const [path, node] = [options.take('buckets_path'), options.take('script')];
    if (path === null) throw illegalArgument('Required [buckets_path]');
    if (node === null) throw illegalArgument('Required [script]');
    const window = parseWindow(options);
    // The one pipeline of this form whose path may not be an array.
    options.ofKind('buckets_path', ['string']);
    return { ...parseShared(named, options, 'skip'), kind: 'moving_fn', script: parseScript(node), ...window };
  },
  read: (r, parts) => ({
    ...parts,
    kind: 'moving_fn',
    script: readScript(ValueReader.of(r.raw('script'), 'script')),
    ...readWindow(r),
  }),
  paths: ({ path }) => [path],
  run: (pipeline, parent, buckets, meter) => {
    const { script, window, shift, format } = pipeline;
    const program = programOfBuckets(script, MOVING_FUNCTION_CONTEXT);
    const params = paramsOf(script);
    let values: readonly number[] | null = null;
    // Position among the buckets that have a value.
    let position = 0;
    return withValues(pipeline, parent, buckets, meter, (numbers, at) => {
      values ??= numbers.filter((value) => value !== null && !Number.isNaN(value)) as number[];
      const own = numbers[at] ?? Number.NaN;
      if (Number.isNaN(own)) return null;
      const ends = [position - window + shift, position + shift] as const;
      const [from, to] = ends.map((end) => Math.max(0, Math.min(end, values?.length ?? 0)));
      position++;
      return numberValue(program.run([params, doublesOf(values.slice(from, to))]) as number, format);
    });
  },
};
