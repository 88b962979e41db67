import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useSession } from '#components/base/session/session'
import { Button } from '#components/kit/button'
import { Checkbox } from '#components/kit/checkbox'
import { Card, Stack } from '#components/kit/layout'
import { Badge } from '#components/kit/status'
import { NoMatch } from '#components/table/table-states'
import type { Privilege } from '#lib/caller/auth/privileges'
import { inGroups, type PrivilegeGroup, privilegeGroups } from './privilege-groups'
import { PrivilegeTools, useFound } from './privilege-tools'
import styles from './roles.module.css'

type PrivilegeMatrixProps = {
  chosen: readonly Privilege[]
  /** The saved privileges. */
  base: readonly Privilege[]
  /** The privileges that can be chosen and are shown; by default the user's own can be chosen, and all are shown. */
  offered?: readonly Privilege[]
  onChange: (chosen: Privilege[]) => void
  /** Puts the search field into a form field. */
  around?: (search: ReactNode) => ReactNode
}

/** The privileges of a role, by subject. Users cannot choose privileges that they do not hold. */
export function PrivilegeMatrix({
  chosen,
  base,
  offered,
  onChange,
  around = (search) => search,
}: PrivilegeMatrixProps) {
  const [text, setText] = useState('')
  const { privileges } = useSession()
  const found = useFound(text, (name) => offered?.includes(name) ?? true)
  const set = (names: readonly Privilege[], isChosen: boolean) => {
    onChange(inGroups.filter((name) => (names.includes(name) ? isChosen : chosen.includes(name))))
  }
  return (
    <Stack gap="l">
      {around(<PrivilegeTools text={text} onChange={setText} />)}
      {found.length === 0 && <NoMatch onClear={() => setText('')} />}
      <div className={styles.groups}>
        {found.map(({ group, names }) => (
          <Group
            key={group}
            group={group}
            names={names}
            shown={offered ?? inGroups}
            held={offered ?? privileges}
            chosen={chosen}
            base={base}
            onSet={set}
          />
        ))}
      </div>
    </Stack>
  )
}

type GroupProps = Pick<PrivilegeMatrixProps, 'chosen' | 'base'> & {
  group: PrivilegeGroup
  /** The visible privileges of the group. */
  names: readonly Privilege[]
  /** All shown privileges, and the choosable ones. */
  shown: readonly Privilege[]
  held: readonly Privilege[]
  onSet: (names: readonly Privilege[], isChosen: boolean) => void
}

function Group({ group, names, shown, held, chosen, base, onSet }: GroupProps) {
  const say = useTranslations('roles.matrix')
  const title = useTranslations('roles.groups')(group)
  const all = [...privilegeGroups[group]].filter((name) => shown.includes(name))
  const open = names.filter((name) => held.includes(name))
  const isAll = open.every((name) => chosen.includes(name))
  return (
    <Card
      level={3}
      title={title}
      counter={`(${all.filter((name) => chosen.includes(name)).length}/${all.length})`}
      actions={
        open.length > 1 && (
          <Button
            look="link"
            label={say(isAll ? 'clearOf' : 'selectAllOf', { group: title })}
            onPress={() => onSet(open, !isAll)}
          >
            {say(isAll ? 'clear' : 'selectAll')}
          </Button>
        )
      }
    >
      <ul className={styles.privileges}>
        {names.map((name) => (
          <li key={name}>
            <Choice
              name={name}
              isChosen={chosen.includes(name)}
              wasChosen={base.includes(name)}
              isHeld={held.includes(name)}
              onChange={(isChosen) => onSet([name], isChosen)}
            />
          </li>
        ))}
      </ul>
    </Card>
  )
}

type ChoiceProps = {
  name: Privilege
  isChosen: boolean
  wasChosen: boolean
  isHeld: boolean
  onChange: (isChosen: boolean) => void
}

function Choice({ name, isChosen, wasChosen, isHeld, onChange }: ChoiceProps) {
  const say = useTranslations('roles.matrix')
  const nameOf = useTranslations('roles.privileges')
  const explain = useTranslations('roles.explanations')
  const sayRefusal = useTranslations('roles.refusal')
  return (
    <Checkbox
      isChosen={isChosen}
      disabled={!isHeld}
      about={
        <>
          <code>{name}</code>
          <br />
          {explain(name)}
          {!isHeld && (
            <>
              <br />
              <em>{sayRefusal('notHeld')}</em>
            </>
          )}
        </>
      }
      onChange={onChange}
    >
      {nameOf(name)} {isChosen !== wasChosen && <Badge>{say(isChosen ? 'comes' : 'goes')}</Badge>}
    </Checkbox>
  )
}
