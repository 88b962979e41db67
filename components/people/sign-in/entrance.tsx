import { Activity, lazy, type ReactNode, Suspense } from 'react'
import { paths } from '#components/base/screens/paths'
import { Starting } from '#components/frame/layout/starting'
import { newPasswordPath, PlaceProvider, useAddress, verifierPath } from './place'

const screens = new Map([
  [
    paths.forgotPassword(),
    lazy(async () => ({ default: (await import('./forgot-password')).ForgotPassword })),
  ],
  [verifierPath, lazy(async () => ({ default: (await import('./verifier')).Verifier }))],
  [newPasswordPath, lazy(async () => ({ default: (await import('./new-password')).NewPassword }))],
])

/** The screens that need no session. The rest of the console stays mounted behind them. */
export function Entrance({ children }: { children: ReactNode }) {
  const place = useAddress()
  const Screen = screens.get(place.path)
  return (
    <PlaceProvider value={place}>
      {Screen && (
        <Suspense fallback={<Starting />}>
          <Screen key={place.token} />
        </Suspense>
      )}
      <Activity mode={Screen ? 'hidden' : 'visible'}>{children}</Activity>
    </PlaceProvider>
  )
}
