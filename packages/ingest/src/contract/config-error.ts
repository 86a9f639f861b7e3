/**
 * Errors in configurations of pipelines: they name the processor and the property in fields of their own.
 */
import { ShoalError } from '@shoal/core';

export interface ConfigPlace {
  /** null: the pipeline itself. */
  readonly type: string | null;
  readonly tag: string | null;
}

export const NO_PLACE: ConfigPlace = { type: null, tag: null };

/** 400. @param property null: none in particular */
export function configError({ type, tag }: ConfigPlace, property: string | null, reason: string): ShoalError {
  return new ShoalError('parse_exception', 400, property === null ? reason : `[${property}] ${reason}`, {
    metadata: {
      ...(type === null ? {} : { processor_type: type }),
      ...(tag === null ? {} : { processor_tag: tag }),
      ...(property === null ? {} : { property_name: property }),
    },
  });
}
