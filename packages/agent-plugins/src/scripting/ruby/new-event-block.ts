/**
 * `new_event_block`: the block by which a Ruby script hands on events that it made, as `new_event_block.call(event)`.
 */
import type { LogEvent } from '@shoal/agent-event';
import { settle } from './library/event-values.ts';
import { inspect } from './values/inspect.ts';
import { exception } from './values/ruby-exception.ts';
import { RubyProc } from './values/ruby-value.ts';
import { RubyEvent } from './values/script-objects.ts';

/** @param made gets the events handed on: the script may still change them, so they are settled when it has ended */
export function newEventBlock(made: RubyEvent[], emit: (event: LogEvent) => void): RubyProc {
  return new RubyProc(([event = null]) => {
    if (!(event instanceof RubyEvent))
      throw exception('TypeError', `new_event_block wants an event, not ${inspect(event)}`);
    settle(event);
    made.push(event);
    emit(event.event);
    return null;
  }, 1);
}
