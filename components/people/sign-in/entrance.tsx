import { Activity, type ReactNode } from 'react'
import { paths } from '#components/base/screens/paths'
import { Starting } from '#components/frame/layout/starting'
import { deferred } from '#components/kit/deferred'
import { invitationPath, newPasswordPath, PlaceProvider, useAddress, verifierPath } from './place'

const screens = new Map([
  [paths.forgotPassword(), deferred(async () => (await import('./forgot-password')).ForgotPassword)],
  [verifierPath, deferred(async () => (await import('./verifier')).Verifier)],
  [invitationPath, deferred(async () => (await import('./invitation')).Invitation)],
  [newPasswordPath, deferred(async () => (await import('./new-password')).NewPassword)],
])

/** The screens that need no session. The rest of the console stays mounted behind them. */
export function Entrance({ children }: { children: ReactNode }) {
  const place = useAddress()
  const Screen = screens.get(place.path)
  return (
    <PlaceProvider value={place}>
      {Screen && <Screen key={place.token} waiting={<Starting />} />}
      <Activity mode={Screen ? 'hidden' : 'visible'}>{children}</Activity>
    </PlaceProvider>
  )
}
