import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { AppLink } from '#components/layout/app-link'
import { useMay } from '#components/layout/session'
import { paths } from '#components/paths'
import type { ScopeDocument, ScopeEntityType } from '#lib/scopes/scopes.schema'
import { entityKinds, namesAtOnce, useEntityNames } from './entity-kinds'
import { entitiesOf } from './scope-draft'
import styles from './scopes.module.css'

const titles: Record<ScopeEntityType, string> = { ENTERPRISE: 'Enterprises', DATACENTER: 'Datacenters' }

/** The enterprises or datacenters that a scope names, some at a time. */
export function EntityList({ scope, type }: { scope: ScopeDocument; type: ScopeEntityType }) {
  const ids = entitiesOf(scope, type)
  const unlimited = type === 'ENTERPRISE' ? scope.automaticAddEnterprise : scope.automaticAddDatacenter
  return (
    <Container
      fitHeight
      header={
        <Header variant="h2" counter={unlimited ? '(all)' : `(${ids.length.toLocaleString()})`}>
          {titles[type]}
        </Header>
      }
    >
      {unlimited ? <Everything type={type} named={ids.length} /> : <Names type={type} ids={ids} />}
    </Container>
  )
}

function Everything({ type, named }: { type: ScopeEntityType; named: number }) {
  const { many } = entityKinds[type]
  return (
    <>
      All {many}, those to come too.
      {named > 0 && ` The ${named.toLocaleString()} that it names count again when it is limited.`}
    </>
  )
}

function Names({ type, ids }: { type: ScopeEntityType; ids: number[] }) {
  const [shown, setShown] = useState(namesAtOnce)
  const names = useEntityNames(type, ids.slice(0, shown))
  const mayOpen = useMay('PHYS_DC_RETRIEVE_DETAILS') && type === 'DATACENTER'
  const left = ids.length - names.length
  if (ids.length === 0) {
    return (
      <Box color="text-body-secondary">{`Users of this scope see no ${entityKinds[type].many} through it.`}</Box>
    )
  }
  return (
    <SpaceBetween size="s">
      <ul className={styles.names}>
        {names.map((name, index) => (
          <li key={ids[index]}>
            {mayOpen ? (
              <AppLink variant="primary" to={paths.datacenter(ids[index] ?? 0)}>
                {name}
              </AppLink>
            ) : (
              name
            )}
          </li>
        ))}
      </ul>
      {left > 0 && (
        <Button variant="inline-link" iconName="add-plus" onClick={() => setShown(shown + namesAtOnce)}>
          {`Show ${Math.min(left, namesAtOnce)} more of ${left.toLocaleString()}`}
        </Button>
      )}
    </SpaceBetween>
  )
}
