import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Message, ToolCallEntry, ToolCallState } from '../../src/model/session.ts'
import { type Assembler, assembler, type OpenCall } from '../../src/read/assemble.ts'
import { naivePairs, type Step } from './naive-pairs.ts'

const call = (id: string, name = 'bash', more: Partial<OpenCall> = {}): OpenCall => ({
  type: 'tool-call',
  id,
  name,
  args: {},
  ...more,
})
const text = (value: string) => ({ type: 'text', text: value }) as const
const done = (result: string): ToolCallState => ({ status: 'completed', result })
const real = (callId: string, result: string, name?: string) => ({ callId, state: done(result), name })
const closer = (callId: string, error = 'closer') =>
  ({ callId, state: { status: 'failed', error }, synthetic: true }) as const

function run(steps: (a: Assembler) => void, unanswered: 'interrupted' | 'pending-at-end' = 'interrupted') {
  const a = assembler({ unanswered })
  steps(a)
  const { messages, changes } = a.finish()
  return { messages, changes, codes: changes.map((c) => c.code), outcomes: outcomes(messages) }
}

/** The outcome of every call in order, as `id=result`. */
function outcomes(messages: readonly Message[]): string[] {
  return callsOf(messages).map((entry) => `${entry.id}=${outcome(entry.state)}`)
}
function outcome(state: ToolCallState): string {
  if (state.status === 'completed') return String(state.result)
  return state.status === 'failed' ? `!${String(state.error)}` : state.status
}
function callsOf(messages: readonly Message[]): ToolCallEntry[] {
  return messages.flatMap((m) => (m.role === 'assistant' ? m.parts.filter((p) => p.type === 'tool-call') : []))
}

describe('pairing by id', () => {
  it('gives a call its result', () => {
    const { messages, codes } = run((a) => {
      a.user({ parts: [text('hi')] })
      a.assistant({ parts: [text('so'), call('a')] })
      a.result(real('a', 'A'))
    })
    expect(messages).toEqual([
      { role: 'user', parts: [text('hi')] },
      { role: 'assistant', parts: [text('so'), { ...call('a'), state: done('A') }] },
    ])
    expect(codes).toEqual([])
  })

  it('takes an id used again in a later turn for another call', () => {
    const { outcomes, codes } = run((a) => {
      a.assistant({ parts: [call('a')] })
      a.result(real('a', 'first'))
      a.user({ parts: [text('again')] })
      a.assistant({ parts: [call('a')] })
      a.result(real('a', 'second'))
    })
    expect(outcomes).toEqual(['a=first', 'a=second'])
    expect(codes).toEqual([])
  })

  it('serves the nearest earlier turn first, so that an unanswered call of an old turn does not take its result', () => {
    const { outcomes, codes } = run((a) => {
      a.assistant({ parts: [call('a')] })
      a.user({ parts: [text('again')] })
      a.assistant({ parts: [call('a')] })
      a.result(real('a', 'second'))
    })
    expect(outcomes).toEqual(['a=interrupted', 'a=second'])
    expect(codes).toEqual(['call-unfinished'])
  })

  it('gives two calls of one id in one turn their results in order', () => {
    const { outcomes } = run((a) => {
      a.assistant({ parts: [call('a'), call('a')] })
      a.result(real('a', '1'))
      a.result(real('a', '2'))
    })
    expect(outcomes).toEqual(['a=1', 'a=2'])
  })

  it('leaves out a result before its call, and one without any call', () => {
    const { outcomes, changes } = run((a) => {
      a.result({ ...real('a', 'early'), line: 7 })
      a.assistant({ parts: [call('a')] })
      a.result(real('a', 'A'))
      a.result(real('z', 'alone'))
    })
    expect(outcomes).toEqual(['a=A'])
    expect(changes.map((c) => [c.code, c.at, c.before])).toEqual([
      ['orphan-result', { callId: 'a', line: 7 }, 'early'],
      ['orphan-result', { callId: 'z' }, 'alone'],
    ])
  })

  it.each(Object.getOwnPropertyNames(Object.prototype))('takes %s for an id like any other', (name) => {
    const { outcomes, codes } = run((a) => {
      a.result(real(name, 'early'))
      a.assistant({ parts: [call(name, name)] })
      a.result(real(name, 'A', name))
    })
    expect(outcomes).toEqual([`${name}=A`])
    expect(codes).toEqual(['orphan-result'])
  })
})

describe('closers and further results', () => {
  it('replaces a closer by the real result that comes later', () => {
    const { outcomes, changes } = run((a) => {
      a.assistant({ parts: [call('a')] })
      a.result(closer('a'))
      a.user({ parts: [text('go on')] })
      a.result(real('a', 'A'))
    })
    expect(outcomes).toEqual(['a=A'])
    expect(changes.map((c) => [c.code, c.before])).toEqual([
      ['synthetic-result-replaced', 'closer'],
      ['result-moved', undefined],
    ])
  })

  it('keeps the real result when a closer comes later', () => {
    const { outcomes, codes } = run((a) => {
      a.assistant({ parts: [call('a')] })
      a.result(real('a', 'A'))
      a.result(closer('a'))
      a.result(real('a', 'A again'))
    })
    expect(outcomes).toEqual(['a=A'])
    expect(codes).toEqual(['duplicate-result', 'duplicate-result'])
  })

  it('names the call of a further result, and shows what was left out', () => {
    const { changes } = run((a) => {
      a.assistant({ parts: [text('so'), call('a')] }, { line: 3 })
      a.result(real('a', 'A'))
      a.result({ ...real('a', 'again'), line: 9 })
    })
    expect(changes).toMatchObject([
      { code: 'duplicate-result', at: { message: 0, part: 1, callId: 'a', line: 9 }, before: 'again' },
    ])
  })

  it('keeps a closer when nothing else comes, and refuses a second one', () => {
    const { outcomes, codes } = run((a) => {
      a.assistant({ parts: [call('a')] })
      a.result(closer('a'))
      a.result(closer('a', 'second'))
    })
    expect(outcomes).toEqual(['a=!closer'])
    expect(codes).toEqual(['duplicate-result'])
  })

  // The texts of the contract, as requests and repaired files have them.
  const unknown =
    'This tool call was interrupted and its outcome is unknown: it may or may not have taken effect. ' +
    'Verify the current state before running it again.'
  it.each<readonly [string, ToolCallState, ToolCallState]>([
    ['of an unknown outcome', { status: 'failed', error: unknown }, { status: 'interrupted' }],
    ['without an error flag', { status: 'completed', result: unknown }, { status: 'interrupted' }],
    ['in a list', { status: 'failed', error: [text(unknown)] }, { status: 'interrupted' }],
    [
      'of a call that never started',
      { status: 'failed', error: 'This tool call was interrupted before it started; it was not run.' },
      { status: 'interrupted', dispatched: false },
    ],
    [
      'of a call that never started, with what had come',
      {
        status: 'failed',
        error:
          'This tool call was interrupted before it started; it was not run.\n\nOutput before the interruption:\nhalf',
      },
      { status: 'interrupted', dispatched: false, partial: 'half' },
    ],
    [
      'with what had come',
      { status: 'failed', error: `${unknown}\n\nOutput before the interruption:\nhalf` },
      { status: 'interrupted', partial: 'half' },
    ],
    [
      'with slots',
      { status: 'failed', error: unknown, extra: { anthropic: { toolset_name: 't' } } },
      { status: 'interrupted', extra: { anthropic: { toolset_name: 't' } } },
    ],
  ])('takes the closer of this library for one: %s', (_, state, expected) => {
    const once = run((a) => {
      a.assistant({ parts: [call('a')] })
      a.result({ callId: 'a', state })
    })
    expect(callsOf(once.messages)[0]?.state).toEqual(expected)
    const twice = run((a) => {
      a.assistant({ parts: [call('a')] })
      a.result({ callId: 'a', state })
      a.result(real('a', 'A'))
    })
    expect(twice.outcomes).toEqual(['a=A'])
    expect(twice.codes).toEqual(['synthetic-result-replaced'])
  })

  it('takes a result that only begins or ends like a closer for what a tool said', () => {
    for (const said of [`${unknown} Or so.`, `> ${unknown}`, unknown.slice(0, -1)]) {
      const { messages } = run((a) => {
        a.assistant({ parts: [call('a')] })
        a.result({ callId: 'a', state: { status: 'failed', error: said } })
      })
      expect(callsOf(messages)[0]?.state).toEqual({ status: 'failed', error: said })
    }
  })

  it('takes a stored interruption for a closer', () => {
    const { outcomes, codes } = run((a) => {
      a.assistant({ parts: [call('a'), call('b')] })
      a.result({ callId: 'a', state: { status: 'interrupted', reason: 'user' } })
      a.result({ callId: 'b', state: { status: 'interrupted', reason: 'user' } })
      a.result(real('a', 'A'))
    })
    expect(outcomes).toEqual(['a=A', 'b=interrupted'])
    expect(codes).toEqual(['synthetic-result-replaced'])
  })

  it('gives a real result to the closed call of a nearer turn rather than to an open one of an older turn', () => {
    const { outcomes } = run((a) => {
      a.assistant({ parts: [call('a')] })
      a.user({ parts: [] })
      a.assistant({ parts: [call('a')] })
      a.result(closer('a'))
      a.result(real('a', 'A'))
    })
    expect(outcomes).toEqual(['a=interrupted', 'a=A'])
  })
})

describe('results without an id', () => {
  it('pair by name and order, and say so', () => {
    const { outcomes, codes } = run((a) => {
      a.assistant({ parts: [call('', 'bash'), call('', 'read'), call('', 'bash')] })
      a.result(real('', 'R', 'read'))
      a.result(real('', 'B1', 'bash'))
      a.result(real('', 'B2', 'bash'))
    })
    expect(outcomes).toEqual(['=B1', '=R', '=B2'])
    expect(codes).toEqual(Array(3).fill('result-paired-by-order'))
  })

  it('stand where they are stored, whoever speaks next', () => {
    for (const next of ['assistant', 'user', 'instruction'] as const) {
      const { outcomes, codes } = run((a) => {
        a.assistant({ parts: [call('', 'bash')] })
        a.result(real('', 'B', 'bash'))
        a[next]({ authority: 'system', parts: [{ type: 'text', text: 'next' }] })
      })
      expect(outcomes).toEqual(['=B'])
      expect(codes).toEqual(['result-paired-by-order'])
    }
  })

  it('take the oldest call without an id when the name is none of theirs', () => {
    const { outcomes } = run((a) => {
      a.assistant({ parts: [call('id', 'read'), call('', 'bash'), call('', 'grep')] })
      a.result(real('', '1', 'renamed'))
      a.result(real('', '2'))
    })
    expect(outcomes).toEqual(['id=interrupted', '=1', '=2'])
  })

  it('take a call that has an id when the result alone lost it', () => {
    const { outcomes } = run((a) => {
      a.assistant({ parts: [call('a', 'bash'), call('b', 'read'), call('c', 'bash')] })
      a.result(real('', 'A'))
      a.result(real('', 'B', 'read'))
      a.result(real('c', 'C'))
    })
    expect(outcomes).toEqual(['a=A', 'b=B', 'c=C'])
  })

  it('let results with an id take their calls first', () => {
    const { outcomes, codes } = run((a) => {
      a.assistant({ parts: [call('a'), call('b')] })
      a.result(real('', 'B'))
      a.result(real('a', 'A'))
    })
    expect(outcomes).toEqual(['a=A', 'b=B'])
    expect(codes).toEqual(['result-paired-by-order'])
  })

  it('never take a call that comes later', () => {
    const { outcomes, codes } = run((a) => {
      a.result(real('', 'early', 'bash'))
      a.assistant({ parts: [call('', 'bash')] })
    })
    expect(outcomes).toEqual(['=interrupted'])
    expect(codes).toEqual(['orphan-result', 'call-unfinished'])
  })

  it('are orphans when every call of another name has an id', () => {
    const { codes } = run((a) => {
      a.assistant({ parts: [call('a', 'bash')] })
      a.result(real('', 'x', 'read'))
    })
    expect(codes).toEqual(['orphan-result', 'call-unfinished'])
  })
})

describe('results that stand apart', () => {
  it.each([
    ['user text', (a: Assembler) => a.user({ parts: [text('wait')] })],
    ['an instruction', (a: Assembler) => a.instruction({ authority: 'system', parts: [text('note')] })],
    [
      'the next step of the turn',
      (a: Assembler) => {
        a.result(real('b', 'B'))
        a.assistant({ parts: [text('next')] })
      },
    ],
  ])('belong to their call behind %s, which is reported', (_name, between) => {
    const { outcomes, codes } = run((a) => {
      a.assistant({ parts: [call('a'), call('b')] })
      between(a)
      a.result(real('a', 'A'))
      a.result(real('b', 'B'))
    })
    expect(outcomes).toEqual(['a=A', 'b=B'])
    expect(codes).toContain('result-moved')
  })

  it('are in place behind other results and adjacent assistant messages', () => {
    const { outcomes, codes } = run((a) => {
      a.assistant({ parts: [call('a')] })
      a.assistant({ parts: [text('and'), call('b')] })
      a.result(real('b', 'B'))
      a.result(real('a', 'A'))
    })
    expect(outcomes).toEqual(['a=A', 'b=B'])
    expect(codes).toEqual([])
  })
})

describe('the order of results', () => {
  const orders = (steps: (a: Assembler) => void) =>
    callsOf(run(steps).messages).map(({ id, resultOrder }) => [id, resultOrder])

  it('is kept where it is not the order of the calls', () => {
    expect(
      orders((a) => {
        a.assistant({ parts: [call('a'), text('x'), call('b'), call('c'), call('d')] })
        for (const id of ['a', 'c', 'b', 'd']) a.result(real(id, id))
      }),
    ).toEqual([
      ['a', undefined],
      ['b', 2],
      ['c', 1],
      ['d', undefined],
    ])
  })

  it('is not mentioned where it is, also when results are missing', () => {
    expect(
      orders((a) => {
        a.assistant({ parts: [call('a'), call('b'), call('c')] })
        a.result(real('a', 'A'))
        a.result(real('c', 'C'))
        a.assistant({ parts: [call('d')] })
        a.result(real('d', 'D'))
      }).map(([, order]) => order),
    ).toEqual([undefined, undefined, undefined, undefined])
  })

  it('does not count calls that the provider ran, and keeps the place of a closer for the real result', () => {
    expect(
      orders((a) => {
        const server: ToolCallEntry = { ...call('s'), executor: 'provider', state: done('S') }
        a.assistant({ parts: [call('a'), server, call('b')] })
        a.result(closer('b'))
        a.result(real('a', 'A'))
        a.result(real('b', 'B'))
      }),
    ).toEqual([
      ['a', 1],
      ['s', undefined],
      ['b', 0],
    ])
  })
})

describe('calls without a result', () => {
  const open = (a: Assembler) => {
    a.assistant({ parts: [call('a')] })
    a.user({ parts: [text('hm')] })
    a.assistant({ parts: [call('b'), call('c')] })
    a.assistant({ parts: [call('d')] })
    a.result(real('b', 'B'))
  }

  it('are interrupted in a transcript', () => {
    const { outcomes, changes } = run(open)
    expect(outcomes).toEqual(['a=interrupted', 'b=B', 'c=interrupted', 'd=interrupted'])
    expect(changes.map((c) => [c.code, c.at.callId])).toEqual(['a', 'c', 'd'].map((id) => ['call-unfinished', id]))
  })

  it('are pending at the end of a body, and interrupted before it', () => {
    const { outcomes, codes } = run(open, 'pending-at-end')
    expect(outcomes).toEqual(['a=interrupted', 'b=B', 'c=pending', 'd=pending'])
    expect(codes).toEqual(['call-unfinished'])
  })

  it.each([
    ['a user message', (a: Assembler) => a.user({ parts: [text('hm')] })],
    ['an instruction', (a: Assembler) => a.instruction({ authority: 'system', parts: [] })],
    ['a further step', (a: Assembler) => a.assistant({ parts: [text('so')] })],
  ])('are not at the end behind %s', (_name, behind) => {
    const { outcomes } = run((a) => {
      a.assistant({ parts: [call('a'), call('b')] })
      a.result(real('a', 'A'))
      behind(a)
    }, 'pending-at-end')
    expect(outcomes).toEqual(['a=A', 'b=interrupted'])
  })
})

describe('calls that bring their state', () => {
  const entry = (state: ToolCallState): ToolCallEntry => ({ ...call('a'), state })

  it.each<ToolCallState>([
    done('A'),
    { status: 'failed', error: 'no' },
    { status: 'interrupted', partial: 'half' },
    { status: 'pending', reason: 'approval' },
  ])('keep it, and are shared: %j', (state) => {
    const given = entry(state)
    const { messages, codes } = run((a) => {
      a.assistant({ parts: [given] })
      a.user({ parts: [] })
    })
    expect(callsOf(messages)[0]).toBe(given)
    expect(codes).toEqual([])
  })

  it('give it up for a result only when the outcome is unknown', () => {
    const settled = (state: ToolCallState) =>
      run((a) => {
        a.assistant({ parts: [entry(state)] })
        a.result(real('a', 'later'))
      })
    expect(settled(done('A'))).toMatchObject({ outcomes: ['a=A'], codes: ['duplicate-result'] })
    expect(settled({ status: 'pending' })).toMatchObject({ outcomes: ['a=later'], codes: [] })
    expect(settled({ status: 'interrupted' })).toMatchObject({ outcomes: ['a=later'], codes: [] })
  })

  it('stay open while their result is that they wait', () => {
    const { outcomes, codes } = run((a) => {
      a.assistant({ parts: [call('a')] })
      a.result({ callId: 'a', state: { status: 'pending', approved: true } })
      a.result(real('a', 'A'))
    })
    expect(outcomes).toEqual(['a=A'])
    expect(codes).toEqual([])
  })
})

describe('joining', () => {
  const by = (model: string) => ({ by: { model } })
  const joined = (steps: (a: Assembler) => void) =>
    run(steps).messages.map((m) => m.parts.map((p) => (p.type === 'text' ? p.text : p.type)))

  it('makes adjacent assistant messages of one model one, with the calls in their places', () => {
    const { messages, changes } = run((a) => {
      a.assistant({ parts: [text('1')], id: 'm1', stop: 'tool-calls' }, { join: true })
      a.assistant({ parts: [text('2'), call('a')], id: 'm2', stop: 'end', usage: { inputTokens: 1 } }, { join: true })
      a.result(real('a', 'A'))
      a.result(real('a', 'more'))
    })
    expect(messages).toEqual([
      {
        role: 'assistant',
        id: 'm1',
        stop: 'end',
        usage: { inputTokens: 1 },
        parts: [text('1'), text('2'), { ...call('a'), state: done('A') }],
      },
    ])
    expect(changes[0]?.at).toEqual({ message: 0, part: 2, callId: 'a' })
  })

  it('stops at results, other messages, other models and clashing slots', () => {
    const join = { join: true }
    expect(
      joined((a) => {
        a.assistant({ parts: [text('1'), call('a')], ...by('m') }, join)
        a.result(real('a', 'A'))
        a.assistant({ parts: [text('2')], ...by('m') }, join)
        a.assistant({ parts: [text('3')], ...by('n') }, join)
        a.assistant({ parts: [text('4')], ...by('n') })
        a.user({ parts: [text('5')] })
        a.assistant({ parts: [text('6')], extra: { 'openai-chat': { refusal: 'r' } } }, join)
        a.assistant({ parts: [text('7')], extra: { 'openai-chat': { audio: 1 }, pi: 1 } }, join)
        a.assistant({ parts: [text('8')], extra: { 'openai-chat': { refusal: 's' } } }, join)
      }),
    ).toEqual([['1', 'tool-call'], ['2'], ['3'], ['4'], ['5'], ['6', '7'], ['8']])
  })

  it('leaves the arrays of the reader alone, and finishes as often as asked', () => {
    const parts = Object.freeze([text('1')])
    const a = assembler({ unanswered: 'interrupted' })
    a.assistant({ parts }, { join: true })
    a.assistant({ parts: [call('a')] }, { join: true })
    const first = a.finish()
    a.result(real('a', 'A'))
    a.assistant({ parts: [text('2')] }, { join: true })
    expect(outcomes(first.messages)).toEqual(['a=interrupted'])
    expect(first.messages).toHaveLength(1)
    expect(outcomes(a.finish().messages)).toEqual(['a=A'])
    expect(a.finish()).toEqual(a.finish())
  })
})

function play(steps: readonly Step[], unanswered: 'interrupted' | 'pending-at-end' = 'interrupted') {
  return run((a) => {
    for (const step of steps) {
      if (step.kind === 'user') a.user({ parts: [] })
      else if (step.kind === 'instruction') a.instruction({ authority: 'system', parts: [] })
      else if (step.kind === 'assistant') a.assistant({ parts: step.calls }, { join: step.join })
      else a.result({ callId: step.callId, name: step.name, state: done(step.value), synthetic: step.synthetic })
    }
  }, unanswered)
}

describe('random histories', () => {
  const id = fc.constantFrom('a', 'b', '', '__proto__')
  const name = fc.constantFrom('bash', 'read')
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 2, arbitrary: fc.constant({ kind: 'user' } as const) },
    { weight: 1, arbitrary: fc.constant({ kind: 'instruction' } as const) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('assistant' as const),
        join: fc.boolean(),
        calls: fc.array(
          fc.tuple(id, name).map(([i, n]) => call(i, n)),
          { maxLength: 3 },
        ),
      }),
    },
    {
      weight: 7,
      arbitrary: fc.record({
        kind: fc.constant('result' as const),
        callId: id,
        name: fc.option(name, { nil: undefined }),
        synthetic: fc.boolean(),
        value: fc.constant(''),
      }),
    },
  )
  /** Each result says which one it is. */
  const history = fc
    .array(step, { maxLength: 40, size: 'max' })
    .map((steps) => steps.map((s, index) => (s.kind === 'result' ? { ...s, value: `r${index}` } : s)))

  it('pair as the naive search does', () => {
    fc.assert(
      fc.property(history, (steps) => {
        expect(play(steps).outcomes).toEqual(naivePairs(steps))
      }),
      { numRuns: 2000 },
    )
  })

  it('keep every result or say where it went', () => {
    fc.assert(
      fc.property(history, (steps) => {
        const { outcomes, changes } = play(steps)
        const kept = new Set(outcomes.map((o) => o.split('=')[1]))
        const told = new Set(
          changes.flatMap((c) =>
            ['orphan-result', 'duplicate-result', 'synthetic-result-replaced'].includes(c.code) ? [c.before] : [],
          ),
        )
        for (const s of steps) {
          if (s.kind === 'result') expect(Number(kept.has(s.value)) + Number(told.has(s.value))).toBe(1)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('leave calls pending only behind the last message that is no assistant message', () => {
    fc.assert(
      fc.property(history, (steps) => {
        const last = steps.findLastIndex((s) => s.kind !== 'result' && s.kind !== 'assistant')
        const settledBefore = play(steps.slice(0, last + 1), 'pending-at-end').outcomes.length
        const { outcomes } = play(steps, 'pending-at-end')
        expect(outcomes.slice(0, settledBefore)).not.toContain('a=pending')
      }),
      { numRuns: 500 },
    )
  })
})

describe('long histories', () => {
  it('join a hundred thousand messages with one call each', () => {
    const count = 100_000
    const { messages, outcomes } = run((a) => {
      for (let i = 0; i < count; i++) a.assistant({ parts: [call('same')] }, { join: true })
      for (let i = 0; i < count; i++) a.result(real('same', `${i}`))
    })
    expect(messages).toHaveLength(1)
    expect(outcomes[0]).toBe('same=0')
    expect(outcomes[count - 1]).toBe(`same=${count - 1}`)
  })

  it('hold a hundred thousand calls of one id, and as many turns', () => {
    const count = 100_000
    const { outcomes } = run((a) => {
      for (let i = 0; i < count; i++) {
        a.user({ parts: [] })
        a.assistant({ parts: [call('same', 'bash')] })
      }
      for (let i = 0; i < count; i++) a.result(closer('same'))
      for (let i = 0; i < count; i++) a.result(real(i % 2 === 0 ? 'same' : '', `${i}`, 'bash'))
    })
    expect(outcomes).toHaveLength(count)
    expect(new Set(outcomes).size).toBe(count)
    expect(outcomes[count - 1]).toBe('same=0')
  })
})
