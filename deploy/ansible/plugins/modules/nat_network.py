#!/usr/bin/python
# Copyright (c) Cloud Console
# GNU General Public License v3.0+ (see https://www.gnu.org/licenses/gpl-3.0.txt)

# Made by "npm run ansible" from the description of the API. Do not change it by hand.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r'''
module: nat_network
short_description: Create, change or delete a NAT network
version_added: 1.0.0
description:
  - Makes a NAT network as the options say. What no option names stays as it is.
  - Several things are faster and safer in one document, by the module M(cloud.console.plan).
author: Cloud Console (@cloud-console)
options:
  datacenter:
    description: >-
      The name of its datacenter.
    type: str
    required: true
  name:
    description: >-
      The name.
    type: str
    required: true
  cidr:
    description: >-
      The range of the network.
    type: str
  device:
    description: >-
      The name of the device that carries the network.
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
  cloud.console.nat_network:
    datacenter: Madrid
    name: Public
    cidr: 203.0.113.0/24
    device: edge-1

- name: It is not there
  cloud.console.nat_network:
    datacenter: Madrid
    name: Public
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
    'name': ('name', dict(type='str', required=True)),
    'cidr': ('cidr', dict(type='str')),
    'device': ('device', dict(type='str')),
    'description': ('description', dict(type='str')),
    'tags': ('tags', dict(type='list', elements='str')),
}


def main():
    run_for('natnetworks', OPTIONS)


if __name__ == '__main__':
    main()
