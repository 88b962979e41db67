import type { Noted } from '#lib/caller/kinds/notes.schema'
import {
  collectionQuery,
  invalidateBelow,
  pickerQuery,
  type Query,
  resourceQuery,
  useRemove,
  useSave,
} from '#lib/client/resources.queries'
import { centerPath } from '#lib/cloud/infrastructure/virtual-datacenters.queries'
import type { VirtualApplianceDocument } from '#lib/cloud/machines/virtual-appliances.schema'

export const appliancesPath = (center: number): string => `${centerPath(center)}/virtualappliances`

export const virtualAppliancesQuery = (center: number, query?: Query) =>
  collectionQuery<VirtualApplianceDocument>(appliancesPath(center), query)

export const virtualApplianceQuery = (center: number, appliance: number) =>
  resourceQuery<VirtualApplianceDocument>(`${appliancesPath(center)}/${appliance}`)

export const virtualAppliancePickerQuery = (center: number, has: string) =>
  pickerQuery<VirtualApplianceDocument>(appliancesPath(center), has)

export const useSaveAppliance = (center: number) =>
  useSave(
    appliancesPath(center),
    (draft: Partial<Noted> & { name: string }, current?: VirtualApplianceDocument) => ({
      ...current,
      ...draft,
    }),
    (client, gone) => invalidateBelow(client, [appliancesPath(center)], gone),
  )

export const useRemoveAppliance = (center: number) =>
  useRemove<VirtualApplianceDocument>(appliancesPath(center), (client, gone) =>
    invalidateBelow(client, [appliancesPath(center)], gone),
  )
