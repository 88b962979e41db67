# Copyright (c) Cloud Console
# GNU General Public License v3.0+ (see https://www.gnu.org/licenses/gpl-3.0.txt)

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r'''
name: next_free_ip
short_description: The NAT IP of a key, else the next free one
version_added: 1.0.0
description:
  - Gives the NAT IP of the network that was created for the key. The first time it creates the lowest address that is free.
  - In check mode it creates nothing, and gives the address that it would create.
  - The IP keeps the key as a tag. One that is released loses its tags, and with them its key.
  - Whoever may change the tags of an IP of the network decides which key it has. A key that several IPs have is an error.
author: Cloud Console (@cloud-console)
options:
  _terms:
    description: Keys, such as the name of a host. Each gets an address of its own.
    type: list
    elements: str
    required: true
  datacenter:
    description: The name of the datacenter.
    type: str
    required: true
  network:
    description: The name of the NAT network.
    type: str
    required: true
extends_documentation_fragment:
  - cloud.console.connection.plugin
'''

EXAMPLES = r'''
- name: The address of a web server, the same each time
  ansible.builtin.set_fact:
    public_ip: "{{ lookup('cloud.console.next_free_ip', inventory_hostname, datacenter='Madrid', network='Public',
                          api_url=api_url, api_token=api_token) }}"
'''

RETURN = r'''
_raw:
  description: An address for each key.
  type: list
  elements: str
'''

import hashlib
import ipaddress

from ansible.errors import AnsibleLookupError
from ansible.module_utils.common.text.converters import to_bytes, to_text
from ansible.plugins.lookup import LookupBase
from ansible_collections.cloud.console.plugins.module_utils.console import CONNECTION, Console, ConsoleError


class LookupModule(LookupBase):
    def run(self, terms, variables=None, **kwargs):
        self.set_options(var_options=variables, direct=kwargs)
        is_check = (variables or {}).get('ansible_check_mode', False)
        try:
            console = Console.of(dict((name, self.get_option(name)) for name in CONNECTION))
            network = network_of(console, self.get_option('datacenter'), self.get_option('network'))
            return [address_of(console, network, to_text(key), is_check) for key in terms]
        except ConsoleError as error:
            raise AnsibleLookupError(str(error))


def network_of(console, datacenter, name):
    for place in console.everything('/admin/datacenters', has=datacenter):
        if place['name'] == datacenter:
            for network in console.everything('/admin/datacenters/%d/natnetworks' % place['id'], has=name):
                if network['name'] == name:
                    return dict(network, datacenter=place['id'])
            raise ConsoleError('The datacenter %s has no NAT network %s' % (datacenter, name))
    raise ConsoleError('There is no datacenter %s' % datacenter)


def tag_of(key):
    """A tag has 64 characters at most."""
    tag = 'ansible ' + key
    return tag if len(tag) <= 64 else tag[:31] + ' ' + hashlib.sha256(to_bytes(key)).hexdigest()[:32]


def address_of(console, network, key, is_check):
    tag = tag_of(key)
    path = '/admin/datacenters/%d/natnetworks/%d/ips' % (network['datacenter'], network['id'])
    tagged = console.get(path, tag=tag, all='true', limit=2)['collection']
    if len(tagged) > 1:
        raise ConsoleError('Several NAT IPs of the network %s have the tag "%s": remove all but one' % (network['name'], tag))
    for ip in tagged:
        return ip['ip']
    if is_check:
        return lowest_free(console, network)
    digest = hashlib.sha256(to_bytes('%s %s' % (path, key))).hexdigest()
    return console.post(path, dict(tags=[tag]), key='next-free-ip-' + digest)['ip']


def lowest_free(console, network):
    """The end of the run without gaps that the addresses of the network begin with, found by halves."""
    whole = ipaddress.ip_network(network['cidr'])
    first, last = int(whole.network_address), int(whole.broadcast_address)
    if whole.num_addresses > 2:
        first += 1
        last -= 1 if whole.version == 4 else 0
    kind = ipaddress.IPv4Address if whole.version == 4 else ipaddress.IPv6Address
    positions = '/admin/datacenters/%d/natnetworks/action/ipposition' % network['datacenter']

    def existing(address):
        """How many addresses there are up to this one."""
        asked = console.get(positions, ip=str(kind(address)), network=network['id'], all='true')
        return asked['position'] + int(asked['exists'])

    # The network address may be one of its IPs, too.
    below = existing(first - 1) if first > int(whole.network_address) else 0
    low, high = first, last + 1
    while low < high:
        middle = (low + high) // 2
        if existing(middle) - below == middle - first + 1:
            low = middle + 1
        else:
            high = middle
    if low > last:
        raise ConsoleError('NAT-IP-5: The NAT network %s has no free address' % network['name'])
    return str(kind(low))
