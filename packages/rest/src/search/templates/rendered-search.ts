/**
 * A search made of a template: its body as text, and what the request says beside it.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import { ShoalError } from '@shoal/core';
import { CONTENT_TYPE, MUSTACHE, renderTemplate, type TemplateParams, type TemplateSource } from '@shoal/script';
import type { SearchTemplate } from './search-template-body.ts';

const ENCODER = new TextEncoder();

/** The text that a template makes. @throws script_exception, resource_not_found_exception for a stored one that is not there */
export function renderedText(
  { kind, text }: NonNullable<SearchTemplate['template']>,
  params: TemplateParams,
  context: CoordinatorContext,
): string {
  const source =
    kind === 'id' ? storedTemplate(text, context) : { lang: MUSTACHE, source: text, id: null, contentType: null };
  return renderTemplate(source, params);
}

/** A stored template; a source that is null where none is stored under the id. */
export function storedTemplate(id: string, { cluster }: CoordinatorContext): TemplateSource {
  const stored = cluster.state().metadata.storedScripts.get(id);
  return {
    lang: stored?.lang ?? MUSTACHE,
    source: stored?.source ?? null,
    id,
    contentType: stored?.options[CONTENT_TYPE] ?? null,
  };
}

/** The text as the body of a search, which has to be one. @throws parsing_exception for white space alone */
export function searchBody(text: string): Uint8Array {
  if (text.trim() !== '') return ENCODER.encode(text);
  throw new ShoalError('parsing_exception', 400, 'Expected [START_OBJECT] but found [null]', {
    details: { line: 1, col: 0 },
  });
}

/** What a request says beside the template takes the place of what the template says. */
export function overrides({ isExplained, isProfiled }: SearchTemplate): Readonly<Record<string, string>> {
  return { explain: String(isExplained ?? false), profile: String(isProfiled ?? false) };
}
