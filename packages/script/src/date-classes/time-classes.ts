/**
 * All classes of `java.time`, and `Locale`, which names their parts.
 */

import type { ScriptClass } from '../contract/script-class.ts';
import { AMOUNT_CLASSES } from './amount-classes.ts';
import { CLASS_OF_ENUM } from './enum-members.ts';
import { FIELD_CLASSES } from './field-classes.ts';
import { FORMAT_CLASSES } from './format-classes.ts';
import { LOCAL_CLASSES } from './local-classes.ts';
import { MOMENT_CLASSES } from './moment-classes.ts';
import { NAME_CLASSES } from './name-classes.ts';
import { OFFSET_CLASSES } from './offset-classes.ts';
import { PARTIAL_CLASSES } from './partial-classes.ts';
import { ZONE_CLASSES } from './zone-classes.ts';

export const TIME_CLASSES: readonly ScriptClass[] = [
  CLASS_OF_ENUM,
  ...FIELD_CLASSES,
  ...LOCAL_CLASSES,
  ...MOMENT_CLASSES,
  ...OFFSET_CLASSES,
  ...PARTIAL_CLASSES,
  ...AMOUNT_CLASSES,
  ...NAME_CLASSES,
  ...ZONE_CLASSES,
  ...FORMAT_CLASSES,
];
