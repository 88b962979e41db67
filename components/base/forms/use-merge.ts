import { useState } from 'react'
import {
  type Choice,
  type Choices,
  chosenValue,
  differingFields,
  proposedChoice,
  type ShownField,
  type ShownFields,
  type Versions,
} from './merge'

/** A field in which the two versions differ. */
export type MergeRow = {
  name: string
  shown: ShownField<unknown>
  before: unknown
  theirs: unknown
  mine: unknown
  choices: readonly Choice[]
  choice: Choice | undefined
}

/** The props of the alert about a conflict. */
export type Merge = {
  rows: MergeRow[]
  /** Every field has a choice. */
  isDecided: boolean
  choose: (name: string, choice: Choice) => void
  chooseAll: (choice: 'theirs' | 'mine') => void
}

type Conflicting<Draft> = {
  shown: ShownFields<Draft>
  /** The ETag of the saved version during a conflict; undefined without one. */
  version: string | undefined
  before: Draft
  theirs: Draft | undefined
  draft: Draft
  onDraft: (draft: Draft) => void
}

type State<Draft> = Versions<Draft> & { version: string; choices: Choices<Draft> }

function proposal<Draft extends object>(
  shown: ShownFields<Draft>,
  versions: Versions<Draft>,
): Choices<Draft> {
  const fields = differingFields(shown, versions)
  const proposed = fields.map((field) => [field, proposedChoice(field, versions)] as const)
  return Object.fromEntries(proposed.filter(([, choice]) => choice !== undefined)) as Choices<Draft>
}

/** My draft with the values that the choices take. */
function applied<Draft extends object>(state: State<Draft>, shown: ShownFields<Draft>): Draft {
  const values = differingFields(shown, state).map((field) => [
    field,
    chosenValue(field, state.choices[field], state),
  ])
  return { ...state.mine, ...Object.fromEntries(values) }
}

/** Merges the draft of a form with a version saved by another user, field by field. */
export function useMerge<Draft extends object>({
  shown,
  version,
  before,
  theirs,
  draft,
  onDraft,
}: Conflicting<Draft>) {
  const [known, setState] = useState<State<Draft>>()
  const update = (state: State<Draft>) => {
    setState(state)
    onDraft(applied(state, shown))
  }
  if (version !== undefined && theirs && known?.version !== version) {
    const versions = { before, theirs, mine: draft }
    update({ ...versions, version, choices: proposal(shown, versions) })
  }
  const state = known?.version === version ? known : undefined
  if (!state) return { merge: undefined, typed: () => undefined, end: () => setState(undefined) }
  const fields = differingFields(shown, state)
  const merge: Merge = {
    rows: fields.flatMap((field) => rowOf(field, state, shown)),
    isDecided: fields.every((field) => state.choices[field] !== undefined),
    choose: (name, choice) => update({ ...state, choices: { ...state.choices, [name]: choice } }),
    chooseAll: (choice) =>
      update({
        ...state,
        choices: Object.fromEntries(fields.map((field) => [field, choice])) as Choices<Draft>,
      }),
  }
  return {
    merge,
    /** Input during a conflict counts as my version. */
    typed: (changes: Partial<Draft>) => {
      const names = Object.keys(changes).map((name) => [name, 'mine'])
      setState({
        ...state,
        mine: { ...state.mine, ...changes },
        choices: { ...state.choices, ...Object.fromEntries(names) },
      })
    },
    end: () => setState(undefined),
  }
}

function rowOf<Draft extends object>(
  field: keyof Draft,
  { before, theirs, mine, choices }: State<Draft>,
  shown: ShownFields<Draft>,
): MergeRow[] {
  const words = shown[field]
  if (words === null) return []
  return [
    {
      name: String(field),
      shown: words as ShownField<unknown>,
      before: before[field],
      theirs: theirs[field],
      mine: mine[field],
      choices: 'members' in words ? ['theirs', 'mine', 'both'] : ['theirs', 'mine'],
      choice: choices[field],
    },
  ]
}
