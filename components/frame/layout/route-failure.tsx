import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { isRouteErrorResponse, useLocation, useRevalidator, useRouteError } from 'react-router'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/base/forms/failure'
import { paths } from '#components/base/screens/paths'
import { useSession } from '#components/base/session/session'
import { Page } from '#components/frame/layout/page'
import { LinkButton } from '#components/kit/button'
import { Stack } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
import type { Privilege } from '#lib/caller/auth/privileges'
import { ApiFailure } from '#lib/client/api'

/** Thrown by the guard of a screen that the user may not open. */
export class MissingPrivilege extends Error {
  readonly anyOf: readonly Privilege[]

  constructor(anyOf: readonly Privilege[]) {
    super(`One of these privileges is needed: ${anyOf.join(', ')}`)
    this.anyOf = anyOf
  }
}

/** Thrown by the guard of a screen that cannot be seen as it was. */
export class WithoutPast extends Error {}

/** Thrown by the guard of a screen of the account, if the session shows what another user sees. */
export class OfAccount extends Error {}

/** In place of a screen that could not be opened, or that broke. */
export function RouteFailure() {
  const error = useRouteError()
  if (error instanceof MissingPrivilege) return <Closed anyOf={error.anyOf} />
  if (error instanceof WithoutPast) return <NoPast />
  if (error instanceof OfAccount) return <NoAccount />
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />
  return <Broken error={error} />
}

function Closed({ anyOf }: { anyOf: readonly Privilege[] }) {
  const { role } = useSession()
  const say = useTranslations('layout.closed')
  const sayPrivilege = useTranslations('roles.privileges')
  return (
    <Page title={say('title')}>
      <Stack gap="l">
        <Notice title={say('lacks', { role: role.name })}>
          {say('needs', { count: anyOf.length })}
          <ul>
            {anyOf.map((privilege) => (
              <li key={privilege}>
                {sayPrivilege(privilege)} <code>{privilege}</code>
              </li>
            ))}
          </ul>
          {say('ask')}
        </Notice>
        <HomeButton />
      </Stack>
    </Page>
  )
}

function NoPast() {
  const say = useTranslations('layout.asOf')
  return (
    <Page title={say('noPast')}>
      <Notice>{say('noPastHint')}</Notice>
    </Page>
  )
}

function NoAccount() {
  const { nick } = useSession()
  const say = useTranslations('layout.seeAs')
  return (
    <Page title={say('noAccount')}>
      <Stack gap="l">
        <Notice>{say('noAccountHint', { nick })}</Notice>
        <HomeButton />
      </Stack>
    </Page>
  )
}

function Broken({ error }: { error: unknown }) {
  const say = useTranslations('layout')
  const { revalidate } = useRevalidator()
  const { reset } = useQueryErrorResetBoundary()
  const retry = () => {
    // A script that failed to load, as after an update of the server, needs a reload of the page.
    if (!(error instanceof ApiFailure)) return window.location.reload()
    reset()
    void revalidate()
  }
  return (
    <Page title={say('broken')}>
      <Stack gap="l">
        <Failure error={error} retry={retry} />
        <HomeButton />
      </Stack>
    </Page>
  )
}

function HomeButton({ look }: { look?: 'main' }) {
  const say = useTranslations('common')
  return (
    <LinkButton look={look} href={paths.home()}>
      {say('home')}
    </LinkButton>
  )
}

export function NotFound() {
  const { pathname } = useLocation()
  const say = useTranslations('layout.notFound')
  return (
    <Page title={say('title')}>
      <Stack gap="l">
        <p>{say.rich('text', { path: () => <code>{pathname}</code> })}</p>
        <HomeButton look="main" />
      </Stack>
    </Page>
  )
}
