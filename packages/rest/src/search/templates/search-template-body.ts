/**
 * The body of a search that is made of a template: the template or the id of a stored one, and what it is filled with.
 */
import { illegalArgument, type JsonMember, type JsonNode, ShoalError, tokenName } from '@shoal/core';
import { readBoolean, readField, unknownField } from '@shoal/query';
import { jsonText, type PlainValue, plainValueOf, type TemplateParams } from '@shoal/script';
import { validationFailed } from '../../documents/write-problems.ts';

export interface SearchTemplate {
  /** The template itself, or the id of a stored one; null where the body has neither. */
  readonly template: { readonly kind: 'source' | 'id'; readonly text: string } | null;
  readonly params: TemplateParams;
  /** null: the body does not say. */
  readonly isExplained: boolean | null;
  readonly isProfiled: boolean | null;
}

const NO_PARAMS: TemplateParams = new Map();
const PARSER = 'search_template';

/** @throws x_content_parse_exception, parse_exception for no body */
export function readSearchTemplate(root: JsonNode | null): SearchTemplate {
  if (root === null) throw new ShoalError('parse_exception', 400, 'request body or source parameter is required');
  if (root.kind !== 'object') throw contentError(root, `Expected START_OBJECT but was: ${tokenName(root)}`);
  let read: SearchTemplate = { template: null, params: NO_PARAMS, isExplained: null, isProfiled: null };
  for (const member of root.members) read = withMember(read, member);
  return read;
}

function withMember(read: SearchTemplate, member: JsonMember): SearchTemplate {
  const { name, value } = member;
  switch (name) {
    case 'source':
    case 'inline':
    case 'template':
      return { ...read, template: { kind: 'source', text: sourceOf(member) } };
    case 'id':
      return { ...read, template: { kind: 'id', text: textOf(member) } };
    case 'params':
      return { ...read, params: paramsOf(member) };
    case 'explain':
      return { ...read, isExplained: readField(PARSER, member, () => readBoolean(value, name)) };
    case 'profile':
      return { ...read, isProfiled: readField(PARSER, member, () => readBoolean(value, name)) };
    default:
      throw unknownField(PARSER, member);
  }
}

function sourceOf(member: JsonMember): string {
  return member.value.kind === 'object' ? jsonText(member.value) : textOf(member);
}

function textOf(member: JsonMember): string {
  if (member.value.kind === 'string') return member.value.value;
  throw unfit(member);
}

function paramsOf(member: JsonMember): TemplateParams {
  if (member.value.kind !== 'object') throw unfit(member);
  return new Map<string, PlainValue>(member.value.members.map(({ name, value }) => [name, plainValueOf(value)]));
}

function unfit({ name, value }: JsonMember): ShoalError {
  return contentError(value, `${name} doesn't support values of type: ${tokenName(value)}`);
}

function contentError({ at }: JsonNode, reason: string): ShoalError {
  return new ShoalError('x_content_parse_exception', 400, `[${at.line}:${at.col}] [${PARSER}] ${reason}`);
}

/** The template, which there has to be. @throws action_request_validation_exception */
export function requiredTemplate({ template }: SearchTemplate): NonNullable<SearchTemplate['template']> {
  if (template !== null && template.text !== '') return template;
  throw validationFailed(['template is missing', ...(template === null ? ["template's script type is missing"] : [])]);
}

/** The template of one of several searches, which there has to be. @throws illegal_argument_exception */
export function requiredTemplateOfMany(search: SearchTemplate): NonNullable<SearchTemplate['template']> {
  if (search.template === null) throw illegalArgument('Malformed search template');
  return requiredTemplate(search);
}
