/**
 * The processors by name. One that is added is one file and one line.
 */
import type { ProcessorType } from '../contract/processor.ts';
import { appendProcessor } from './append.ts';
import { bytesProcessor } from './bytes.ts';
import { convertProcessor } from './convert.ts';
import { dotExpanderProcessor } from './dot-expander.ts';
import { dropProcessor } from './drop.ts';
import { failProcessor } from './fail.ts';
import { foreachProcessor } from './foreach.ts';
import { joinProcessor } from './join.ts';
import { jsonProcessor } from './json.ts';
import { lowercaseProcessor, trimProcessor, uppercaseProcessor } from './letter-case.ts';
import { pipelineProcessor } from './pipeline.ts';
import { removeProcessor } from './remove.ts';
import { renameProcessor } from './rename.ts';
import { setProcessor } from './set.ts';
import { sortProcessor } from './sort.ts';
import { urldecodeProcessor } from './urldecode.ts';

/** In the order of their names. */
export const PROCESSOR_TYPES: ReadonlyMap<string, ProcessorType> = new Map(
  [
    appendProcessor,
    bytesProcessor,
    convertProcessor,
    dotExpanderProcessor,
    dropProcessor,
    failProcessor,
    foreachProcessor,
    joinProcessor,
    jsonProcessor,
    lowercaseProcessor,
    pipelineProcessor,
    removeProcessor,
    renameProcessor,
    setProcessor,
    sortProcessor,
    trimProcessor,
    uppercaseProcessor,
    urldecodeProcessor,
  ].map((type) => [type.type, type]),
);
