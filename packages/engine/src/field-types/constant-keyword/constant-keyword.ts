/**
 * `constant_keyword`: one value that every document of an index has, whatever it says of it.
 *
 * The value is indexed with each document like any other, and costs next to nothing: one term, and a column of one value. Documents
 * that were written before the index had a value do not have it.
 */
import { illegalArgument } from '@shoal/core';
import type { FieldType } from '../contract/field-type.ts';
import { KEYWORD } from '../keyword/keyword.ts';

export const CONSTANT_KEYWORD: FieldType = {
  ...KEYWORD,
  read: ({ path, constant }, value) => {
    const given = String(value);
    if (constant === null || given === constant) return given;
    throw illegalArgument(
      `[constant_keyword] field [${path}] only accepts values that are equal to the value defined in the mappings [${constant}], but got [${given}]`,
    );
  },
  learned: ({ path, constant, isMultiField }, value) => {
    if (constant !== null) return null;
    if (isMultiField)
      throw illegalArgument(`[constant_keyword] field [${path}] below another field must have a [value]`);
    return { value: String(value) };
  },
};
