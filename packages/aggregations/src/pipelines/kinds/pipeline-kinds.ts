/**
 * Look-up of pipelines by kind. A kind that lacks a part does not compile.
 */
import { assert } from '@shoal/core';
import type { PipelineKind } from '../../contract/pipeline-kind.ts';
import type { PipelineNode } from '../../tree/pipeline-node.ts';
import * as registry from './registry.ts';

const KINDS: readonly PipelineKind[] = Object.values(registry);

/** Kinds by their type in requests. */
export const PIPELINE_KINDS: ReadonlyMap<string, PipelineKind> = new Map(KINDS.map((kind) => [kind.kind, kind]));

export function pipelineKindOf({ kind, name }: PipelineNode): PipelineKind {
  const found = PIPELINE_KINDS.get(kind);
  assert(found, `no kind [${kind}] of pipeline [${name}] is registered`);
  return found;
}

/** Paths that a pipeline reads. */
export function pathsOf(pipeline: PipelineNode): readonly (readonly string[])[] {
  const kind = pipelineKindOf(pipeline);
  return kind.family === 'parent' ? kind.paths(pipeline) : [pipeline.path];
}
