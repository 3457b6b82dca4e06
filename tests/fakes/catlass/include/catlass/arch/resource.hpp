#pragma once
#include "catlass/stand_in.hpp"
