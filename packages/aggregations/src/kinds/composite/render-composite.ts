/**
 * Composite buckets in the shape that users know.
 */
import type { Steps } from '@shoal/core';
import { jsonText, PrintedJson } from '../../render/answer-text.ts';
import type { BucketRenderer } from '../../render/bucket-renderer.ts';
import type { BucketKey } from '../../values/bucket-key.ts';
import { PLAIN_FORMAT, valuePrinter } from '../../values/value-format.ts';
import type { CompositeKey, CompositePartial } from './composite-partial.ts';
import type { CompositeAggregation } from './composite-request.ts';

export function renderComposite(
  aggregation: CompositeAggregation,
  partial: CompositePartial,
  to: BucketRenderer,
  isFirst: boolean,
): Steps<void> {
  const keyOf = keyPrinter(aggregation, partial);
  const { lastKey } = partial;
  const isFirstYet = to.out.members(lastKey === null ? {} : { after_key: new PrintedJson(keyOf(lastKey)) }, isFirst);
  const shown = (at: number) => {
    const bucket = partial.buckets[at] as CompositePartial['buckets'][number];
    const key = new PrintedJson(keyOf(bucket.key));
    return { name: '', head: { key, doc_count: bucket.docCount }, bucket };
  };
  return to.member(aggregation, false, partial.buckets.length, shown, isFirstYet);
}

/** Prints keys as objects. */
function keyPrinter(
  { sources }: CompositeAggregation,
  { formats, keyKinds }: CompositePartial,
): (key: CompositeKey) => string {
  const printers = sources.map(({ name, source }, i) => {
    const format = formats[i] ?? PLAIN_FORMAT;
    const printer = valuePrinter(format);
    const keyKind = keyKinds[i] ?? 'text';
    // A date is shown as text only where the request names a format.
    const isText = format.kind === 'date' && source.format !== null;
    const shown = (value: BucketKey): unknown => {
      if (format.kind === 'boolean') return Number(value) !== 0;
      return (isText ? printer.text(value) : null) ?? printer.shown(value, keyKind);
    };
    return { name: JSON.stringify(name), shown };
  });
  return (key) => {
    let text = '{';
    for (let i = 0; i < printers.length; i++) {
      const { name, shown } = printers[i] as (typeof printers)[number];
      const value = key[i] ?? null;
      text += `${i === 0 ? '' : ','}${name}:${value === null ? 'null' : jsonText(shown(value))}`;
    }
    return `${text}}`;
  };
}
