export { type BlowUp, findBlowUps, patternRisk } from './safety/find-blow-ups.ts';
export { GuardedRegex } from './safety/guarded-regex.ts';
export { lazyWatchedCall, TIMED_OUT, type WatchedCall, watchedCall } from './safety/watched-call.ts';
export { compileRubyRegex, type TranslatedPattern, translateRubyPattern } from './translate/compile-ruby-regex.ts';
export { numberGroups } from './translate/number-groups.ts';
