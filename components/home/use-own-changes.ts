import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { countChanges } from '#lib/client/calls'
import { invalidateBelow } from '#lib/client/resources.queries'
import { allNatNetworksPath } from '#lib/cloud/infrastructure/datacenters.queries'
import { allDevicesPath } from '#lib/cloud/infrastructure/devices.queries'
import { eventsPath } from '#lib/record/events/events.queries'

/** What the cards of Home sum up. The change itself invalidates only the lists of its own kind. */
const summed = [eventsPath, allNatNetworksPath, allDevicesPath]

/** Reads the cards of Home again after each change that the user makes there: by a first step, an undo, or a port that they publish. */
export function useOwnChanges(): void {
  const client = useQueryClient()
  useEffect(() => {
    let known = countChanges()
    return client.getMutationCache().subscribe((event) => {
      // Signing out changes nothing that Home shows.
      if (event.type !== 'updated' || event.action.type !== 'success' || countChanges() === known) return
      known = countChanges()
      void invalidateBelow(client, summed)
    })
  }, [client])
}
