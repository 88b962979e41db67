import { useInfiniteQuery } from '@tanstack/react-query'
import { type ComponentType, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { FieldKind, InputProps } from '#components/base/forms/declared-form'
import { usePickerList } from '#components/base/forms/picker-list'
import { RequiredPrivilege } from '#components/base/forms/why'
import { access } from '#components/base/screens/access'
import { useMay } from '#components/base/session/session'
import { ResourcePicker } from '#components/cloud/nat/resource-picker'
import { ManyPicker } from '#components/kit/picker'
import { pickerQuery } from '#lib/client/resources.queries'
import { privateIpPickerQuery } from '#lib/cloud/machines/machines.queries'
import type { ChosenLink, VirtualMachineDocument } from '#lib/cloud/machines/machines.schema'
import type { TemplateDocument } from '#lib/cloud/machines/templates.schema'
import { idOfLink, linkOf, ownLink } from '#lib/ground/http/view'
import { userPickerQuery } from '#lib/people/identity/users.queries'

/* The fields of a virtual machine that name other resources. */

/** The ids of the places of the machine. */
function placesOf(machine: VirtualMachineDocument | undefined) {
  const idIn = (rel: string) => idOfLink(machine && linkOf(machine, rel)) ?? 0
  return { enterprise: idIn('enterprise'), datacenter: idIn('location'), center: idIn('virtualdatacenter') }
}

type LinkInput = InputProps<ChosenLink | undefined, object, VirtualMachineDocument>

const linkKind = (
  Input: ComponentType<LinkInput>,
): FieldKind<ChosenLink | undefined, ChosenLink | undefined, object, VirtualMachineDocument> => ({
  Input,
  empty: undefined,
  read: (machine: VirtualMachineDocument, rel) => {
    const link = linkOf(machine, rel)
    return link && { id: link.href, name: link.title ?? '' }
  },
  Text: ({ value }) => {
    const none = useTranslations('common')('none')
    return value?.name ?? none
  },
})

const chosenOf = (document: object, name: string): ChosenLink => ({
  id: ownLink(document)?.href ?? '',
  name,
})

export const owner = linkKind(({ label, hint, error, value, onChange, form }) => {
  const { enterprise } = placesOf(form.saved)
  const mayRead = useMay(...access.users)
  return (
    <ResourcePicker
      kind="owner"
      label={String(label)}
      hint={mayRead ? hint : <RequiredPrivilege privilege="USERS_VIEW" />}
      error={error}
      disabled={!mayRead}
      value={value}
      pages={(has) => userPickerQuery(enterprise, has)}
      optionOf={(user) => ({
        ...chosenOf(user, user.nick),
        about: `${user.name} ${user.surname}`.trim(),
      })}
      onChange={(user) => onChange(chosenOf(user, user.nick))}
    />
  )
})

export const template = linkKind(({ label, hint, error, value, onChange, form }) => {
  const none = useTranslations('common')('none')
  const { enterprise, datacenter } = placesOf(form.saved)
  const mayRead = useMay('APPLIB_VIEW', 'APPLIB_ALLOW_MODIFY')
  const path = `/api/admin/enterprises/${enterprise}/datacenterrepositories/${datacenter}/virtualmachinetemplates`
  return (
    <ResourcePicker
      kind="template"
      label={String(label)}
      hint={mayRead ? hint : <RequiredPrivilege privilege="APPLIB_VIEW" />}
      error={error}
      disabled={!mayRead}
      value={value}
      none={{ name: none, onChoose: () => onChange(undefined) }}
      pages={(has) => pickerQuery<TemplateDocument>(path, has)}
      optionOf={(found) => chosenOf(found, found.name)}
      onChange={(found) => onChange(chosenOf(found, found.name))}
    />
  )
})

const isNic = ({ rel }: { rel: string }): boolean => /^nic\d+$/.test(rel)

export const privateIps: FieldKind<
  readonly ChosenLink[],
  readonly ChosenLink[],
  object,
  VirtualMachineDocument
> = {
  empty: [],
  read: ({ links }: VirtualMachineDocument) =>
    links.filter(isNic).map(({ href, title }) => ({ id: href, name: title ?? '' })),
  Text: ({ value }) => value.map(({ name }) => name).join(', '),
  Input: PrivateIpsInput,
}

type IpsInput = InputProps<readonly ChosenLink[], object, VirtualMachineDocument>

/** A machine keeps what it has (docs/api/machines.md, "Appliances and virtual machines"), so only what was just added can be removed. */
function PrivateIpsInput({ label, hint, error, value, onChange, form }: IpsInput) {
  const say = useTranslations('nat.pick.privateIp')
  const sayMachine = useTranslations('inventory.machines')
  const [has, setHas] = useState<string>()
  const { center } = placesOf(form.saved)
  const own = form.saved ? privateIps.read?.(form.saved as never, '') : []
  const list = useInfiniteQuery({ ...privateIpPickerQuery(center, has ?? ''), enabled: has !== undefined })
  const found = list.data?.pages.flatMap(({ collection }) => collection) ?? []
  const words = { loading: say('loading'), failed: say('failed'), none: say(has ? 'noMatch' : 'nothing') }
  const options = found.map((ip) => {
    const holder = linkOf(ip, 'virtualmachine')
    const isOther = holder && idOfLink(holder) !== form.saved?.id
    return {
      ...chosenOf(ip, ip.ip),
      ...(isOther && { refused: sayMachine('ofOther', { name: holder.title ?? '' }) }),
    }
  })
  const known = new Map([...(own ?? []), ...value, ...options].map((one) => [one.id, one]))
  return (
    <ManyPicker
      label={String(label)}
      hint={hint}
      error={error}
      {...usePickerList(list, words, setHas)}
      placeholder={say('find')}
      options={options}
      chosen={value}
      removeLabel={(name) => sayMachine('removeIp', { name })}
      onChange={(ids) => {
        const kept = (own ?? []).map(({ id }) => id)
        const all = [...new Set([...kept, ...ids])]
        onChange(all.flatMap((id) => known.get(id) ?? []).map(({ id, name }) => ({ id, name })))
      }}
    />
  )
}
