import { type ReactNode, useState } from 'react'
import { Disclosure } from '#components/kit/disclosure'
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
  /** Those of a brief form, which are all meant to be filled in. */
  isBrief?: boolean
}

type FieldState = Pick<InputProps<unknown>, 'value' | 'error' | 'onChange'>

const fieldOf = <T extends Table>({ fields }: DeclaredForm<T>, name: Name<T>) =>
  fields[name] as FormField<unknown>

const namesOf = <T extends Table>({ of, form }: DeclaredFieldsProps<T>) =>
  (Object.keys(of.fields) as Name<T>[]).filter((name) => !(fieldOf(of, name).isForNew && form.saved))

/** The fields in the order of the table. */
export function DeclaredFields<T extends Table>(props: SomeFieldsProps<T>) {
  const { of, form, names = namesOf(props), inDialog = false, isBrief = false } = props
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
            label={mayBeEmpty && !isBrief ? <Optional>{word(label)}</Optional> : word(label)}
            hint={About ? <About value={form.draft[name]} form={form as never} /> : hint && word(hint)}
            required={missing !== undefined || (isText && !mayBeEmpty)}
            autoFocus={inDialog && index === 0}
          />
        )
      })}
    </Stack>
  )
}

/** The few fields that most people fill in, and the heading of the others, which are folded away. */
export type Brief<T extends Table> = { names: readonly Name<T>[]; more: string }

type DeclaredCardsProps<T extends Table> = DeclaredFieldsProps<T> & { brief?: Brief<T> | undefined }

/** The same in their cards. */
export function DeclaredCards<T extends Table>({ of, form, brief }: DeclaredCardsProps<T>) {
  const names = namesOf({ of, form })
  if (!brief) return <Cards of={of} form={form} names={names} />
  const others = names.filter((name) => !brief.names.includes(name))
  return (
    <>
      <Card>
        <DeclaredFields of={of} form={form} names={brief.names} isBrief />
      </Card>
      <More title={brief.more} isAtFault={others.some((name) => form.field(name).error)}>
        <Cards of={of} form={form} names={others} />
      </More>
    </>
  )
}

type MoreProps = { title: string; isAtFault: boolean; children: ReactNode }

/** The fields that few people fill in. It opens for a fault in them. */
export function More({ title, isAtFault, children }: MoreProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Disclosure title={title} isOpen={isOpen || isAtFault} onToggle={setOpen}>
      <Stack gap="l">{children}</Stack>
    </Disclosure>
  )
}

function Cards<T extends Table>({ of, form, names: all }: DeclaredFieldsProps<T> & { names: Name<T>[] }) {
  const word = useWord()
  return cardsOf(of, all).map((names) => {
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
function cardsOf<T extends Table>(of: DeclaredForm<T>, names: Name<T>[]): [Name<T>, ...Name<T>[]][] {
  const cards: [Name<T>, ...Name<T>[]][] = []
  for (const name of names) {
    const last = cards.at(-1)
    if (last && fieldOf(of, name).card === undefined) last.push(name)
    else cards.push([name])
  }
  return cards
}
