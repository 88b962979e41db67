#!/usr/bin/python
# Copyright (c) Cloud Console
# GNU General Public License v3.0+ (see https://www.gnu.org/licenses/gpl-3.0.txt)

# Made by "npm run ansible" from the description of the API. Do not change it by hand.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r'''
module: nat_ip
short_description: Create, change or delete a NAT IP
version_added: 1.0.0
description:
  - Makes a NAT IP as the options say. What no option names stays as it is.
  - Several things are faster and safer in one document, by the module M(cloud.console.plan).
author: Cloud Console (@cloud-console)
options:
  datacenter:
    description: >-
      The name of its datacenter.
    type: str
    required: true
  network:
    description: >-
      The name of its NAT network.
    type: str
    required: true
  ip:
    description: >-
      An IPv4 or IPv6 address.
    type: str
    required: true
  available:
    description: >-
      Whether the IP can be attached.
    type: bool
  quarantine:
    description: >-
      Whether the IP rests before it can be attached.
    type: bool
  default_snat:
    description: >-
      Whether it is the default source address of its virtual datacenter.
    type: bool
  virtual_datacenter:
    description: >-
      The name of the virtual datacenter that holds the IP. Empty, none.
    type: str
  enterprise:
    description: >-
      The name of its enterprise.
    type: str
  description:
    description: >-
      What it is for. Line breaks are kept.
    type: str
  tags:
    description: >-
      Its tags, in their order.
    type: list
    elements: str
  ends:
    description: >-
      When it ends by itself (RFC 3339). Empty: never. Missing: it stays as it is.
    type: str
  state:
    description: With C(absent) it is deleted, and only the options count that say which one it is.
    type: str
    choices: [present, absent]
    default: present
extends_documentation_fragment:
  - cloud.console.connection
  - cloud.console.connection.planned
'''

EXAMPLES = r'''
- name: It is there
  cloud.console.nat_ip:
    datacenter: Madrid
    network: Public
    ip: 203.0.113.7
    virtual_datacenter: Shop

- name: It is not there
  cloud.console.nat_ip:
    datacenter: Madrid
    network: Public
    ip: 203.0.113.7
    state: absent
'''

RETURN = r'''
operations:
  description: What was or would be created, changed or deleted. Empty if it is as it should be.
  returned: success
  type: list
  elements: dict
event:
  description: The address of the event, by which the change can be undone.
  returned: changed
  type: str
refusals:
  description: The rules that refuse the change.
  returned: failure
  type: list
  elements: dict
'''

from ansible_collections.cloud.console.plugins.module_utils.planning import run_for

OPTIONS = {
    'datacenter': ('datacenter', dict(type='str', required=True)),
    'network': ('network', dict(type='str', required=True)),
    'ip': ('ip', dict(type='str', required=True)),
    'available': ('available', dict(type='bool')),
    'quarantine': ('quarantine', dict(type='bool')),
    'default_snat': ('defaultSnat', dict(type='bool')),
    'virtual_datacenter': ('virtualDatacenter', dict(type='str')),
    'enterprise': ('enterprise', dict(type='str')),
    'description': ('description', dict(type='str')),
    'tags': ('tags', dict(type='list', elements='str')),
    'ends': ('ends', dict(type='str')),
}


def main():
    run_for('natips', OPTIONS)


if __name__ == '__main__':
    main()
