import { Card, Stack } from '#components/kit/layout'
import { bare } from '#lib/ground/http/fields.schema'
import {
  type Around,
  type DeclaredForm,
  type DraftOf,
  type FormField,
  type InputProps,
  ruleOf,
  type Table,
  useWord,
} from './declared-form'
import { Optional } from './optional'
import type { FormFields } from './use-resource-form'

type Name<T extends Table> = Extract<keyof T, string>

type DeclaredFieldsProps<T extends Table> = {
  of: DeclaredForm<T>
  form: Around<DraftOf<T>> & Pick<FormFields<DraftOf<T>, Name<T>>, 'field'>
}

type SomeFieldsProps<T extends Table> = DeclaredFieldsProps<T> & {
  /** Without it, all. */
  names?: readonly Name<T>[]
  inDialog?: boolean
}

type FieldState = Pick<InputProps<unknown>, 'value' | 'error' | 'onChange'>

const fieldOf = <T extends Table>({ fields }: DeclaredForm<T>, name: Name<T>) =>
  fields[name] as FormField<unknown>

const namesOf = <T extends Table>({ of, form }: DeclaredFieldsProps<T>) =>
  (Object.keys(of.fields) as Name<T>[]).filter((name) => !(fieldOf(of, name).isForNew && form.saved))

/** The fields in the order of the table. */
export function DeclaredFields<T extends Table>(props: SomeFieldsProps<T>) {
  const { of, form, names = namesOf(props), inDialog = false } = props
  const word = useWord()
  return (
    <Stack gap="l">
      {names.map((name, index) => {
        const { as, label, hint, about: About, missing } = fieldOf(of, name)
        const rule = ruleOf(of, name)
        const isText = rule !== undefined && bare(rule).type === 'string'
        const mayBeEmpty = isText && rule.safeParse('').success
        return (
          <as.Input
            key={name}
            {...(form.field(name) as FieldState)}
            form={form as Around}
            label={mayBeEmpty ? <Optional>{word(label)}</Optional> : word(label)}
            hint={About ? <About value={form.draft[name]} form={form as never} /> : hint && word(hint)}
            required={missing !== undefined || (isText && !mayBeEmpty)}
            autoFocus={inDialog && index === 0}
          />
        )
      })}
    </Stack>
  )
}

/** The same in their cards. */
export function DeclaredCards<T extends Table>({ of, form }: DeclaredFieldsProps<T>) {
  const word = useWord()
  return cardsOf({ of, form }).map((names) => {
    const { card } = fieldOf(of, names[0])
    const fields = <DeclaredFields key={names[0]} of={of} form={form} names={names} />
    if (card === false) return fields
    return (
      <Card key={names[0]} title={card && word(card.title)} about={card?.about && word(card.about)}>
        {fields}
      </Card>
    )
  })
}

/** A field with a card begins one. */
function cardsOf<T extends Table>(props: DeclaredFieldsProps<T>): [Name<T>, ...Name<T>[]][] {
  const cards: [Name<T>, ...Name<T>[]][] = []
  for (const name of namesOf(props)) {
    const last = cards.at(-1)
    if (last && fieldOf(props.of, name).card === undefined) last.push(name)
    else cards.push([name])
  }
  return cards
}
