/**
 * `script_fields`: values of a hit that scripts make. They see the columns, as `doc`, and the source, as `params._source`.
 */
import { illegalArgument, isShoalError } from '@shoal/core';
import type { ScriptField } from '@shoal/query';
import { FIELD_CONTEXT, listItems, paramsOf, programOf, type ScriptProgram, toPlain } from '@shoal/script';
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import type { CompileContext } from '../../../match/context/compile-context.ts';
import { storedScriptMissing } from '../../../match/scripts/document-script.ts';
import { scriptDocument } from '../../../match/scripts/runtime-values.ts';
import type { ScriptDocument } from '../../../match/scripts/script-document.ts';
import { scriptSource } from '../../../match/scripts/script-source.ts';
import type { FetchedDocument } from './fetched-document.ts';

const FIELDS_MAX_DEFAULT = 32;

interface CompiledField extends ScriptField {
  readonly program: ScriptProgram;
}

export class ScriptFieldReader {
  readonly #ctx: CompileContext;
  readonly #fields: readonly CompiledField[];
  /** Columns of the segment that the last document stood in. */
  #bound: { readonly view: SegmentView; readonly document: ScriptDocument } | null = null;

  /** @throws ShoalError where there are too many, or one does not compile */
  constructor(ctx: CompileContext, fields: readonly ScriptField[]) {
    const max = Number(ctx.settings['index.max_script_fields'] ?? FIELDS_MAX_DEFAULT);
    if (fields.length > max) {
      throw illegalArgument(
        `Trying to retrieve too many script_fields. Must be less than or equal to: [${max}] but was [${fields.length}]. This limit can be set by changing the [index.max_script_fields] index level setting.`,
      );
    }
    this.#ctx = ctx;
    this.#fields = fields.map((field) => {
      if (field.script.source === null) throw storedScriptMissing(field.script);
      return { ...field, program: programOf(field.script, FIELD_CONTEXT) };
    });
  }

  readInto(view: SegmentView, document: FetchedDocument, shown: Map<string, readonly unknown[]>): void {
    if (this.#bound?.view !== view) this.#bound = { view, document: scriptDocument(this.#ctx, view) };
    const { document: columns } = this.#bound;
    columns.doc = document.doc;
    const source = scriptSource(document.source());
    for (const { name, script, program, ignoresFailure } of this.#fields) {
      const params = paramsOf(script);
      params.set('_source', source);
      try {
        const value = program.run([params, columns.fields]);
        const items = listItems(value);
        const values = items === null ? [toPlain(value)] : items.map((item) => toPlain(item));
        if (values.length > 0) shown.set(name, values);
      } catch (error) {
        if (!ignoresFailure || !isShoalError(error)) throw error;
      }
    }
  }
}
