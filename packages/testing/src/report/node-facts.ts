/**
 * What a report asks the node: fields, stored scripts, what templates make. Each is asked for once, when it is first needed, and says what there
 * is then.
 */
import { membersOf } from './search-of-request.ts';

/** Fields of indices as `_field_caps` tells them: names with their types. */
export type FieldsOf = (indices: string) => Promise<ReadonlyMap<string, readonly string[]>>;

export interface NodeFacts {
  readonly fieldsOf: FieldsOf;
  /** Text of a stored script; empty where there is none. */
  readonly storedScript: (id: string) => Promise<string>;
  /** Body of the search that a template makes, of its own text or a stored one; null where it makes none. */
  readonly render: (template: unknown) => Promise<unknown>;
}

/** Asks the API past the log of requests, and answers with the body. */
export type AskNode = (path: string, body?: Readonly<Record<string, unknown>>) => Promise<unknown>;

export function nodeFacts(ask: AskNode): NodeFacts {
  const fields = new Map<string, ReturnType<FieldsOf>>();
  const scripts = new Map<string, Promise<string>>();
  return {
    fieldsOf(indices) {
      const known = fields.get(indices) ?? askForFields(ask, indices);
      fields.set(indices, known);
      return known;
    },
    storedScript(id) {
      const known = scripts.get(id) ?? askForScript(ask, id);
      scripts.set(id, known);
      return known;
    },
    async render(template) {
      const { source, id, params } = membersOf(template);
      const given = source === undefined ? { id } : { source };
      const answer = await ask('/_render/template', { ...given, params: membersOf(params) });
      return membersOf(answer).template_output ?? null;
    },
  };
}

async function askForFields(ask: AskNode, indices: string): ReturnType<FieldsOf> {
  const answer = await ask(`/${encodeURIComponent(indices)}/_field_caps?fields=*&ignore_unavailable=true`);
  const fields = Object.entries(membersOf(membersOf(answer).fields));
  return new Map(fields.map(([name, types]) => [name, Object.keys(membersOf(types))]));
}

async function askForScript(ask: AskNode, id: string): Promise<string> {
  const { script } = membersOf(await ask(`/_scripts/${encodeURIComponent(id)}`));
  const { source } = membersOf(script);
  return typeof source === 'string' ? source : '';
}
