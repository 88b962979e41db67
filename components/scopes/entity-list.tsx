import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { AppLink } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import { useMay } from '#components/session/session'
import type { ScopeDocument, ScopeEntityType } from '#lib/scopes/scopes.schema'
import { entityKinds, namesAtOnce, useEntityNames } from './entity-kinds'
import { entitiesOf } from './scope-draft'
import styles from './scopes.module.css'

/** The enterprises or datacenters that a scope names, some at a time. */
export function EntityList({ scope, type }: { scope: ScopeDocument; type: ScopeEntityType }) {
  const say = useTranslations('scopes.kinds')
  const format = useFormatter()
  const ids = entitiesOf(scope, type)
  const unlimited = type === 'ENTERPRISE' ? scope.automaticAddEnterprise : scope.automaticAddDatacenter
  return (
    <Container
      fitHeight
      header={
        <Header variant="h2" counter={`(${unlimited ? say(`${type}.all`) : format.number(ids.length)})`}>
          {say(`${type}.title`)}
        </Header>
      }
    >
      {unlimited ? (
        <>
          {say(`${type}.everything`)}
          {ids.length > 0 && <Box variant="p">{say(`${type}.namedBeside`, { count: ids.length })}</Box>}
        </>
      ) : (
        <Names type={type} ids={ids} />
      )}
    </Container>
  )
}

const screenOf: Record<ScopeEntityType, (id: number) => string> = {
  ENTERPRISE: paths.enterprise,
  DATACENTER: paths.datacenter,
}

function Names({ type, ids }: { type: ScopeEntityType; ids: number[] }) {
  const say = useTranslations('scopes')
  const [shown, setShown] = useState(namesAtOnce)
  const visible = ids.slice(0, shown)
  const names = useEntityNames(type, visible)
  const mayOpen = useMay(...entityKinds[type].readers)
  const left = ids.length - visible.length
  if (ids.length === 0) return <Box color="text-body-secondary">{say(`kinds.${type}.none`)}</Box>
  return (
    <SpaceBetween size="s">
      <ul className={styles.names}>
        {visible.map((id, index) => (
          <li key={id}>
            {mayOpen ? (
              <AppLink variant="primary" to={screenOf[type](id)}>
                {names[index]}
              </AppLink>
            ) : (
              names[index]
            )}
          </li>
        ))}
      </ul>
      {left > 0 && (
        <Button variant="inline-link" iconName="add-plus" onClick={() => setShown(shown + namesAtOnce)}>
          {say('more', { count: Math.min(left, namesAtOnce), left })}
        </Button>
      )}
    </SpaceBetween>
  )
}
