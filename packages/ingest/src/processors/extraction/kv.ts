/** `kv`: fields from a text of pairs such as `a=1 b=2`. */
import type { JavaPattern } from '@shoal/analysis';
import { illegalArgument } from '@shoal/core';
import { type Processor, type ProcessorType, simple } from '../../contract/processor.ts';
import type { ProcessorConfig } from '../../contract/processor-config.ts';
import { parseFieldPath } from '../../document/field-path.ts';
import { pathTemplate } from '../../templates/value-template.ts';
import { javaSplit } from '../../values/java-split.ts';
import { compiledRegex, regexOption, replacedMatches } from '../texts/regex-option.ts';

export const kvProcessor: ProcessorType = { type: 'kv', create: createKv };

type TextChange = (text: string) => string;

const BRACKETS = /^[([<"']|[\])>"']$/g;

function createKv(config: ProcessorConfig): Processor {
  const field = pathTemplate(config.text('field'));
  const targetField = config.optionalTextTemplate('target_field');
  const fieldSplit = regexOption(config, 'field_split');
  const valueSplitText = config.text('value_split');
  const valueSplit = compiledRegex(config, 'value_split', valueSplitText);
  const wants = keyFilter(config.optionalTexts('include_keys'), config.optionalTexts('exclude_keys') ?? []);
  const ignoresMissing = config.flag('ignore_missing', false);
  const trimKey = trimmer(config, 'trim_key');
  const trimValue = trimmer(config, 'trim_value');
  const stripsBrackets = config.flag('strip_brackets', false);
  const prefix = config.optionalText('prefix') ?? '';
  return simple((document) => {
    const path = field(document);
    const text = ignoresMissing && !document.has(path) ? null : document.text(path);
    if (text === null) {
      if (ignoresMissing) return;
      throw illegalArgument(`field [${path.text}] is null, cannot extract key-value pairs. `);
    }
    const above = targetField === null ? '' : `${targetField(document)}.`;
    for (const pair of javaSplit(text, fieldSplit, 0)) {
      const [name = '', value] = pairOf(pair, valueSplit);
      if (value === undefined) {
        throw illegalArgument(`field [${path.text}] does not contain value_split [${valueSplitText}]`);
      }
      const key = trimKey(name);
      if (!wants(key)) continue;
      const target = parseFieldPath(`${above}${prefix}${key}`);
      const item = trimValue(stripsBrackets ? value.replace(BRACKETS, '') : value);
      if (document.has(target)) document.append(target, item, { allowsDuplicates: true });
      else document.set(target, item);
    }
  });
}

function pairOf(pair: string, split: JavaPattern): readonly string[] {
  return javaSplit(pair, split, 2);
}

function keyFilter(included: readonly string[] | null, excluded: readonly string[]): (key: string) => boolean {
  return (key) => (included === null || included.includes(key)) && !excluded.includes(key);
}

/** Takes characters of a set from both ends. */
function trimmer(config: ProcessorConfig, name: string): TextChange {
  const characters = config.optionalText(name);
  if (characters === null) return (text) => text;
  const pattern = compiledRegex(config, name, `(^([${characters}]+))|([${characters}]+$)`);
  return (text) => replacedMatches(text, pattern, () => '');
}
