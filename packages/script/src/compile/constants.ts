/**
 * Constants of classes: `Integer.MAX_VALUE`.
 */
import { compileFailure } from '../errors/script-error.ts';
import { findConstant } from '../library/class-library.ts';
import { type Code, constant } from './code.ts';

/** @throws CompileFailure where the class has none of that name */
export function findConstantCode(className: string, name: string, at: number): Code {
  const found = findConstant(className, name);
  if (found === null) throw compileFailure(at, `field [${className}, ${name}] not found`);
  return constant(found.type, at, found.value, false);
}
