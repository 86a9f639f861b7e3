/**
 * What an expression of a script gives, as Ruby shows it.
 */
import { runFilter } from '../filter-outcome.test-support.ts';
import { rubyFilter } from './ruby.ts';

/**
 * The value's `inspect`, or `!` and what is shown of the exception.
 *
 * @param shown of `raised`, in Ruby
 */
export async function rubyAnswer(expression: string, shown = 'raised.class.name'): Promise<unknown> {
  const code = `begin
    value = (begin; ${expression}; end)
    event.set('answer', value.inspect)
  rescue => raised
    event.set('answer', '!' + ${shown})
  end`;
  return (await runFilter(rubyFilter, { code }, {})).event.answer;
}
